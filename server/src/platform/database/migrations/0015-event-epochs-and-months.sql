set local lock_timeout = '2s';

-- Positions of events (epoch, xid, seq) are ordered by epoch first. A new epoch begins whenever transaction numbers could
-- have gone back: on another cluster (dump and restore), on another timeline (point-in-time recovery, failover) and after
-- every start of the server (restored volume snapshot). Rows from before this migration match no server.
alter table event_epoch
  add column timeline integer,
  add column started_at timestamptz,
  add column began_at timestamptz not null default now();

-- The epoch of the running server; null if it has none yet. A standby replays the epoch of its primary.
create function event_epoch_here() returns integer
  language plpgsql stable parallel safe as $$
begin
  if pg_is_in_recovery() then return (select max(epoch) from event_epoch); end if;
  return (
    select max(epoch) from event_epoch
    where cluster = (select system_identifier from pg_control_system())
      -- pg_control_checkpoint() would still name the old timeline until the first checkpoint after a promotion.
      and timeline = ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer
      and started_at = pg_postmaster_start_time()
  );
end $$;

-- The number of an epoch that would begin now. It grows with time: two recoveries of the same backup get different numbers.
create function next_event_epoch() returns integer
  language plpgsql stable parallel safe as $$
begin
  return (
    select greatest(coalesce(max(epoch), 0) + 1, extract(epoch from clock_timestamp() - '2020-01-01T00:00:00Z')::integer)
    from event_epoch
  );
end $$;

-- Events of smaller epochs are complete. Without an epoch of this server all of them are.
create or replace function current_event_epoch() returns integer
  language plpgsql stable parallel safe as $$
begin
  return coalesce(event_epoch_here(), next_event_epoch());
end $$;

-- Begins an epoch for this server in any case. An administrator calls it after a restore that the server cannot notice.
-- Everything that writes or reads events holds an access share lock on event_epoch until it commits. So this waits until
-- no transaction can add an event to the epoch that ends.
create function begin_event_epoch() returns integer
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  begun integer;
begin
  lock table event_epoch in access exclusive mode;
  insert into event_epoch (epoch, cluster, timeline, started_at)
  select next_event_epoch(), system_identifier,
    ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer, pg_postmaster_start_time()
  from pg_control_system()
  returning epoch into begun;
  return begun;
end $$;
revoke execute on function begin_event_epoch() from public;
grant execute on function begin_event_epoch() to hearback_service;

-- Begins an epoch for this server if it has none. The lock lets only one transaction at a time look; it does not conflict
-- with access share, which callers already hold.
drop function renew_event_epoch();
create function renew_event_epoch() returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  here integer;
begin
  lock table event_epoch in share row exclusive mode;
  here := event_epoch_here();
  if here is not null then return here; end if;
  insert into event_epoch (epoch, cluster, timeline, started_at)
  select next_event_epoch(), system_identifier,
    ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer, pg_postmaster_start_time()
  from pg_control_system()
  returning epoch into here;
  return here;
end $$;
revoke execute on function renew_event_epoch() from public;
grant execute on function renew_event_epoch() to hearback_service;

-- The default of event.epoch. Evaluated by the insert itself, so no process can write into an epoch that is over.
create function event_epoch_of_insert() returns integer
  language plpgsql as $$
declare
  here integer := event_epoch_here();
begin
  if here is null then here := renew_event_epoch(); end if;
  return here;
end $$;

-- Encrypts positions into event ids, so that ids show no counters of the installation. It belongs to the workspace and
-- moves with it.
create table event_id_key (
  workspace_id uuid primary key references workspace,
  key bytea not null check (octet_length(key) = 16)
    -- Each UUID has 122 random bits.
    default substr(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 1, 16)
);
insert into event_id_key (workspace_id) select id from workspace;
alter table event_id_key enable row level security;
alter table event_id_key force row level security;
create policy own_workspace on event_id_key using (workspace_id = current_workspace());
grant select, insert on event_id_key to hearback_service;

create function add_event_id_key() returns trigger
  language plpgsql as $$
declare
  before text := coalesce(current_setting('hearback.workspace', true), '');
begin
  -- Row-level security allows rows of the current workspace only.
  perform set_config('hearback.workspace', new.id::text, true);
  insert into event_id_key (workspace_id) values (new.id);
  perform set_config('hearback.workspace', before, true);
  return null;
end $$;
create trigger add_event_id_key after insert on workspace for each row execute function add_event_id_key();

-- Events are partitioned by month (UTC) of created_at, so that old ones are dropped with their table. The table of
-- before becomes the partition of this month and of everything earlier: no row is copied, one scan checks the range.
lock table event in access exclusive mode;
do $$
declare
  part text := 'event_' || to_char(now() at time zone 'UTC', 'YYYY_MM');
  next_seq bigint;
begin
  execute format('select last_value + 1 from %s', pg_get_serial_sequence('event', 'seq')) into next_seq;
  execute format('create sequence event_seq start with %s', next_seq);
  alter table event alter column seq drop identity;
  -- Without a foreign key, attaching a partition locks no other table.
  alter table event drop constraint event_workspace_id_fkey;
  revoke all on event from hearback_service;
  execute format('alter table event rename constraint event_pkey to %I', part || '_pkey');
  execute format('alter table event rename to %I', part);
end $$;

-- The primary key (workspace_id, epoch, xid, seq) is one of each partition: here it would have to contain created_at.
create table event (
  workspace_id uuid not null,
  epoch integer not null default event_epoch_of_insert(),
  xid bigint not null default pg_current_xact_id()::text::bigint,
  seq bigint not null default nextval('event_seq'),
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default now()
) partition by range (created_at);
alter sequence event_seq owned by event.seq;
alter table event enable row level security;
alter table event force row level security;
create policy own_workspace on event using (workspace_id = current_workspace());
grant select, insert on event to hearback_service;
grant usage on sequence event_seq to hearback_service;

-- Accepts the events of months without a partition, so that an insert never fails. Empty while months are added in time.
create table event_default (like event including defaults, primary key (workspace_id, epoch, xid, seq));
alter table event_default enable row level security;
alter table event_default force row level security;
create policy own_workspace on event_default using (workspace_id = current_workspace());
alter table event attach partition event_default default;
do $$
begin
  execute format('alter table event attach partition %I for values from (minvalue) to (%L)',
    'event_' || to_char(now() at time zone 'UTC', 'YYYY_MM'),
    (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC');
end $$;

-- Adds the partition of a month, with the rows that the default partition has accepted for it. Attaching locks the default
-- partition, for which readers wait and imports do not.
create function add_event_month(at timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  month timestamptz := date_trunc('month', at, 'UTC');
  until timestamptz := (date_trunc('month', at at time zone 'UTC') + interval '1 month') at time zone 'UTC';
  part text := 'event_' || to_char(at at time zone 'UTC', 'YYYY_MM');
begin
  if at < now() - interval '1 month' or at > now() + interval '6 months' then
    raise exception 'no events are added in %', at;
  end if;
  if to_regclass('public.' || part) is not null then return; end if;
  -- Conflicts with itself. Unlike an advisory lock it makes visible what its last holder has created.
  lock table only event in share update exclusive mode;
  if to_regclass('public.' || part) is not null then return; end if;
  lock table event_default in access exclusive mode;
  execute format('create table %I (like event including defaults, primary key (workspace_id, epoch, xid, seq))', part);
  -- Forced row-level security would hide the rows from the owner, too. Nobody else can read the table meanwhile.
  alter table event_default no force row level security;
  execute format('with moved as (delete from event_default where created_at >= %L and created_at < %L returning *)
    insert into %I select * from moved', month, until, part);
  alter table event_default force row level security;
  execute format('alter table %I enable row level security', part);
  execute format('alter table %I force row level security', part);
  execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', part);
  execute format('alter table event attach partition %I for values from (%L) to (%L)', part, month, until);
end $$;
revoke execute on function add_event_month(timestamptz) from public;
grant execute on function add_event_month(timestamptz) to hearback_service;

-- Drops the oldest month if it ended before a time, and returns its name. Call it after event_removal was set for every
-- workspace. Imports wait for the lock, so it gives up soon; the caller tries again.
create function drop_event_month(before timestamptz) returns text
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '300ms' as $$
declare
  part text;
begin
  if before > now() - interval '7 days' then raise exception 'events are kept for 7 days at least'; end if;
  select c.relname into part from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'event'::regclass and c.relname ~ '^event_\d{4}_\d\d$'
      and (to_date(substr(c.relname, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC' <= before
    order by c.relname limit 1;
  if part is not null then execute format('drop table %I', part); end if;
  return part;
end $$;
revoke execute on function drop_event_month(timestamptz) from public;
grant execute on function drop_event_month(timestamptz) to hearback_service;

select add_event_month(now() + ahead * interval '1 month') from generate_series(1, 2) as ahead;
