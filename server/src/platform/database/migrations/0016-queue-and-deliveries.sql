-- Jobs that the relay could not hand to the queue, kept until a worker that knows them takes them up again. Ids only.
create table set_aside_job (
  -- The id that it had in outgoing_job.
  id bigint primary key,
  name text not null,
  payload jsonb not null,
  start_after timestamptz,
  reason text not null check (reason in ('queue_unknown', 'refused')),
  -- An SQLSTATE or the name of an error.
  detail text not null check (char_length(detail) <= 64),
  set_aside_at timestamptz not null default now()
);
-- Which queues they wait for: the metric, doctor and taking them up again.
create index set_aside_job_by_name on set_aside_job (name);
-- Update: what locks a row needs the right to.
grant select, insert, update, delete on set_aside_job to hearback_service;

-- One row per enabled webhook is also its delivery job: when it is due, and which worker has it until when.
alter table webhook_follower
  add column due_at timestamptz not null default now(),
  add column leased_until timestamptz not null default '-infinity',
  add column lease uuid;
-- The webhooks that have something to send, longest waiting first.
create index webhook_follower_due on webhook_follower (due_at);

-- Deliveries are partitioned by week (UTC) on their id, a UUIDv7. No foreign key to the endpoint: attaching a week then
-- locks no other table.
alter table webhook_delivery drop constraint webhook_delivery_workspace_id_endpoint_id_fkey;
drop index webhook_delivery_pending;
do $$
declare
  week timestamptz := date_trunc('week', now(), 'UTC');
  part text := 'webhook_delivery_' || to_char(week at time zone 'UTC', 'YYYYMMDD');
begin
  execute format('alter table webhook_delivery rename to %I', part);
  execute format('alter table %I rename constraint webhook_delivery_pkey to %I', part, part || '_pkey');
  execute format('alter index webhook_delivery_by_endpoint rename to %I', part || '_by_endpoint');
  execute format('create table webhook_delivery (like %I including defaults including constraints)
    partition by range (id)', part);
  execute format('revoke all on %I from hearback_service', part);
end $$;
alter table webhook_delivery add primary key (workspace_id, id);
-- The deliveries of a webhook, newest first.
create index webhook_delivery_by_endpoint on webhook_delivery (workspace_id, endpoint_id, id);
-- What a webhook is to be sent next; what is cancelled with it.
create index webhook_delivery_pending on webhook_delivery (workspace_id, endpoint_id, due_at) where state = 'pending';
-- Test events that wait: they are sent before everything else.
create index webhook_delivery_tests on webhook_delivery (workspace_id, endpoint_id)
  where state = 'pending' and event_type = 'webhook.test';
alter table webhook_delivery enable row level security;
alter table webhook_delivery force row level security;
create policy own_workspace on webhook_delivery using (workspace_id = current_workspace());
grant select, insert, update, delete on webhook_delivery to hearback_service;

-- Takes what no week takes, so that an insert never fails. Empty as long as weeks are made in time.
create table webhook_delivery_other (like webhook_delivery including defaults including constraints);
alter table webhook_delivery_other enable row level security;
alter table webhook_delivery_other force row level security;
create policy own_workspace on webhook_delivery_other using (workspace_id = current_workspace());
alter table webhook_delivery attach partition webhook_delivery_other default;

-- What there was is the first week, with everything before it.
do $$
declare
  week timestamptz := date_trunc('week', now(), 'UTC');
begin
  execute format('alter table webhook_delivery attach partition %I for values from (minvalue) to (%L)',
    'webhook_delivery_' || to_char(week at time zone 'UTC', 'YYYYMMDD'), first_call_id(week + interval '7 days'));
end $$;

-- Adds the table of a week, and moves there what came while it was missing.
create function add_delivery_week(at timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  week timestamptz := date_trunc('week', at, 'UTC');
  part text := 'webhook_delivery_' || to_char(week at time zone 'UTC', 'YYYYMMDD');
  first_id uuid := first_call_id(week);
  end_id uuid := first_call_id(week + interval '7 days');
begin
  if at < now() - interval '1 day' or at > now() + interval '3 months' then
    raise exception 'no deliveries are kept for %', at;
  end if;
  if to_regclass('public.' || part) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('hearback.add_delivery_week'));
  if to_regclass('public.' || part) is not null then return; end if;
  -- Longer than deadlock_timeout, so that an autovacuum in the way is cancelled.
  set local lock_timeout = '3s';
  execute format('create table %I (like webhook_delivery including defaults including constraints)', part);
  -- The owner, too, sees no row while row-level security is forced.
  alter table webhook_delivery_other no force row level security;
  execute format('with moved as (delete from webhook_delivery_other where id >= %L and id < %L returning *)
    insert into %I select * from moved', first_id, end_id, part);
  alter table webhook_delivery_other force row level security;
  execute format('alter table %I enable row level security', part);
  execute format('alter table %I force row level security', part);
  execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', part);
  execute format('alter table webhook_delivery attach partition %I for values from (%L) to (%L)', part, first_id, end_id);
end $$;
revoke execute on function add_delivery_week(timestamptz) from public;
grant execute on function add_delivery_week(timestamptz) to hearback_service;

-- Drops the oldest week if all of it was made before a time. Gives whether there was one: one at a time, so that no lock
-- is held for longer than one needs.
create function drop_delivery_week(before timestamptz) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part text;
begin
  if before > now() - interval '12 hours' then raise exception 'deliveries are kept for a day at least'; end if;
  select c.relname into part from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_delivery'::regclass
      and substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([0-9a-f-]{36})''\)')::uuid <= first_call_id(before)
    order by substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([0-9a-f-]{36})''\)') limit 1;
  if part is null then return false; end if;
  set local lock_timeout = '3s';
  execute format('drop table %I', part);
  return true;
end $$;
revoke execute on function drop_delivery_week(timestamptz) from public;
grant execute on function drop_delivery_week(timestamptz) to hearback_service;

do $$
begin
  for ahead in 1..4 loop
    perform add_delivery_week(now() + ahead * interval '7 days');
  end loop;
end $$;

-- As before, but a partitioned table without triggers is emptied partition by partition, a bounded number of rows at a time.
create or replace function remove_workspace_rows(most integer) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  kept constant text[] := array['audit_entry', 'audit_head', 'erasure', 'erasure_entry'];
  by_place constant text := 'delete from %1$s where ctid = any (array(select ctid from %1$s where workspace_id = $1 limit $2))';
  mine uuid := current_workspace();
  pending oid[];
  one oid;
  leaf oid;
  gone bigint;
  total bigint := 0;
begin
  if mine is null then raise exception 'no workspace is named'; end if;
  select array_agg(c.oid) into pending from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all (kept);
  while cardinality(pending) > 0 loop
    -- One that no other of those left refers to.
    select candidate into one from unnest(pending) as candidate
      where not exists (select from pg_constraint k
        where k.contype = 'f' and k.confrelid = candidate and k.conrelid = any (pending) and k.conrelid <> candidate)
      limit 1;
    if one is null then raise exception 'tables refer to each other in a circle'; end if;
    if exists (select from pg_class where oid = one and relkind = 'p')
      and exists (select from pg_trigger where tgrelid = one and not tgisinternal) then
      -- Calls, and what refers to them, which are gone by then, but for those that have just come.
      execute format('delete from %s where workspace_id = $1', one::regclass) using mine;
      get diagnostics gone = row_count;
      total := total + gone;
    else
      -- By their places, so that a large table is not read through. A place is unique in one partition only.
      for leaf in select one where exists (select from pg_class where oid = one and relkind = 'r')
        union all select relid from pg_partition_tree(one::regclass) where isleaf loop
        execute format(by_place, leaf::regclass) using mine, most - total;
        get diagnostics gone = row_count;
        total := total + gone;
        exit when total >= most;
      end loop;
    end if;
    if total >= most then return total; end if;
    pending := array_remove(pending, one);
  end loop;
  return total;
end $$;
