-- No foreign key refers to `call` any more: with one, attaching a month locks the tables that refer to it against every
-- import and waits for every autovacuum. Rows about a call are written in a transaction that has locked the call.
-- Longer than deadlock_timeout (1 s), so that an autovacuum in the way is cancelled. Locked in the order of an import.
set local lock_timeout = '2s';
lock table call, call_metadata, call_step, call_change, listening in access exclusive mode;
alter table call_metadata drop constraint call_metadata_workspace_id_call_id_fkey;
alter table call_step drop constraint call_step_workspace_id_call_id_fkey;
alter table call_change drop constraint call_change_workspace_id_call_id_fkey;
alter table listening drop constraint listening_workspace_id_call_id_fkey;

-- What "on delete cascade" did. The service may not delete changes by itself. Row-level security holds the owner of the
-- tables, too, so the workspace is named, also where an administrator deletes a call.
create function remove_call_history() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  named constant text := coalesce(current_setting('hearback.workspace', true), '');
  one uuid;
begin
  for one in select distinct workspace_id from removed loop
    perform set_config('hearback.workspace', one::text, true);
    delete from call_change using removed
      where call_change.workspace_id = one and removed.workspace_id = one and call_change.call_id = removed.id;
    delete from listening using removed
      where listening.workspace_id = one and removed.workspace_id = one and listening.call_id = removed.id;
  end loop;
  perform set_config('hearback.workspace', named, true);
  return null;
end $$;
revoke execute on function remove_call_history() from public;
create trigger remove_call_history after delete on call
  referencing old table as removed for each statement execute function remove_call_history();

-- Which months there are, and which workspace's import created each (null: a job). Read and written by add_call_month only.
create table call_month (
  month timestamptz primary key,
  opened_by uuid,
  opened_at timestamptz not null default now()
);
-- How many months a workspace created today.
create index call_month_by_workspace on call_month (opened_by, opened_at) where opened_by is not null;

-- One month of one table. The table is complete, indexes included, before it is attached: SHARE UPDATE EXCLUSIVE on the
-- parent, which no query and no import waits for.
create or replace function add_partition(parent text, at timestamptz) returns void
  language plpgsql set search_path = public, pg_temp as $$
declare
  month timestamptz := date_trunc('month', at, 'UTC');
  until timestamptz := (date_trunc('month', at at time zone 'UTC') + interval '1 month') at time zone 'UTC';
  part text := parent || '_' || to_char(at at time zone 'UTC', 'YYYY_MM');
begin
  execute format('create table %I (like %I including all)', part, parent);
  execute format('alter table %I enable row level security', part);
  execute format('alter table %I force row level security', part);
  execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', part);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)',
    parent, part, first_call_id(month), first_call_id(until));
end $$;

-- Creates the tables of one month, unless they exist. With `most`, refuses (HB003) when the transaction's workspace has
-- created that many months today.
create function add_call_month(at timestamptz, most integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part constant text := 'public.call_' || to_char(at at time zone 'UTC', 'YYYY_MM');
  mine constant uuid := current_workspace();
begin
  if at < '2000-01-01T00:00:00Z' or at > now() + interval '3 months' then
    raise exception 'no calls are kept for %', at;
  end if;
  if to_regclass(part) is not null then return; end if;
  -- Creators wait for each other here and hold nothing meanwhile.
  set local lock_timeout = '10s';
  perform pg_advisory_xact_lock(hashtext('hearback.add_call_month'));
  if to_regclass(part) is not null then return; end if;
  if most is not null and mine is not null and most <= (
    select count(*) from call_month where opened_by = mine and opened_at >= date_trunc('day', now(), 'UTC')
  ) then
    raise exception 'the workspace has created % months today', most using errcode = 'HB003';
  end if;
  -- `call` refers to campaign and app_user: attaching locks those two against changes, not against imports. Longer than
  -- deadlock_timeout, so that an autovacuum of theirs is cancelled.
  set local lock_timeout = '4s';
  perform add_partition('call_metadata', at);
  perform add_partition('call_step', at);
  perform add_partition('call', at);
  insert into call_month (month, opened_by) values (date_trunc('month', at, 'UTC'), mine);
end $$;
revoke execute on function add_call_month(timestamptz, integer) from public;
grant execute on function add_call_month(timestamptz, integer) to hearback_service;

-- For jobs, and for processes of the release before.
create or replace function add_call_month(at timestamptz) returns void
  language sql security definer set search_path = public, pg_temp
  begin atomic select add_call_month(at, null); end;

insert into call_month (month)
  select to_date(substr(relname, 6), 'YYYY_MM')::timestamp at time zone 'UTC' from pg_class
  where relispartition and relnamespace = 'public'::regnamespace and relname ~ '^call_\d{4}_\d\d$';

-- How many calls were imported in each quarter of an hour (the midnight of every time zone is one), by campaign and by
-- what became of them. GET /imports/summary reads this table and import_delta.
create table import_count (
  workspace_id uuid not null references workspace,
  bucket timestamptz not null,
  campaign_id text not null,
  status text not null,
  -- Empty: none.
  failure_code text not null,
  count bigint not null,
  primary key (workspace_id, bucket, campaign_id, status, failure_code)
);

-- Changes of these counters, written in the transaction of what they count. Insert-only, so that imports never wait for
-- each other; a worker adds them to import_count. No foreign key: every import would lock the workspace's row.
create table import_delta (
  workspace_id uuid not null,
  id bigint generated always as identity,
  bucket timestamptz not null,
  campaign_id text not null,
  status text not null,
  failure_code text not null default '',
  count integer not null,
  primary key (workspace_id, id)
);

create function import_bucket(at timestamptz) returns timestamptz
  language sql immutable parallel safe return date_bin('15 minutes', at, '2000-01-01T00:00:00Z');

-- Imports write their own delta (calls/insert-call.ts).
create function count_changed_calls() returns trigger
  language plpgsql as $$
begin
  insert into import_delta (workspace_id, bucket, campaign_id, status, failure_code, count)
  select workspace_id, import_bucket(created_at), campaign_id, status, coalesce(failure_code, ''), sum(n)
  from (
    select workspace_id, created_at, campaign_id, status, failure_code, -1 as n from before
    union all select workspace_id, created_at, campaign_id, status, failure_code, 1 from after
  ) as changed
  group by 1, 2, 3, 4, 5 having sum(n) <> 0;
  return null;
end $$;
create trigger count_changed_calls after update on call
  referencing old table as before new table as after for each statement execute function count_changed_calls();

-- Usage is counted for every workspace. Null: the calls of before were not counted yet (limits/recount-usage.ts,
-- calls/recount-imports.ts).
alter table workspace_usage add column counted_at timestamptz, add column imports_counted_at timestamptz;

create or replace function uncount_removed_calls() returns trigger
  language plpgsql as $$
begin
  update workspace_usage as usage set calls = usage.calls - gone.calls, bytes = usage.bytes - gone.bytes
  from (select workspace_id, count(*) as calls, sum(recording_bytes) as bytes from removed group by 1) as gone
  where usage.workspace_id = gone.workspace_id;
  insert into import_delta (workspace_id, bucket, campaign_id, status, failure_code, count)
  select workspace_id, import_bucket(created_at), campaign_id, status, coalesce(failure_code, ''), -count(*)
  from removed group by 1, 2, 3, 4, 5;
  return null;
end $$;

-- The calls that an erasure has erased, until it is done: the digest in its audit entry is computed from them, in order.
create table erasure_call (
  workspace_id uuid not null,
  erasure_id uuid not null,
  call_id uuid not null,
  primary key (workspace_id, erasure_id, call_id)
);

-- Ledger entries of erasures below this id have been replayed. A restored database has an older value, and replays more.
alter table workspace add column erasures_replayed_below uuid;

do $$
declare guarded text;
begin
  foreach guarded in array array['import_count', 'import_delta', 'erasure_call'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
  end loop;
end $$;
grant select, insert, update, delete on import_count to hearback_service;
grant select, insert, delete on import_delta, erasure_call to hearback_service;
grant update (erasures_replayed_below) on workspace to hearback_service;
