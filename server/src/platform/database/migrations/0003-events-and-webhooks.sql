-- Transaction numbers begin anew when a dump is restored into another cluster: then another epoch begins.
create table event_epoch (
  epoch integer primary key,
  cluster bigint not null
);
insert into event_epoch select 1, system_identifier from pg_control_system();

create function current_event_epoch() returns integer
  language sql stable parallel safe
  return (select max(epoch) from event_epoch);

-- Begins another epoch if the tables came here from another cluster. Called when a process starts.
create function renew_event_epoch() returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  lock table event_epoch in exclusive mode;
  insert into event_epoch (epoch, cluster)
  select newest.epoch + 1, here.system_identifier
  from (select * from event_epoch order by epoch desc limit 1) as newest, pg_control_system() as here
  where newest.cluster <> here.system_identifier;
end $$;
revoke execute on function renew_event_epoch() from public;

-- What happened, in the order (epoch, xid, seq). A reader takes only what was written by transactions older than every
-- running one: an event that commits late can then never appear behind a reader's back. Ids only, no personal data.
create table event (
  workspace_id uuid not null references workspace,
  epoch integer not null default current_event_epoch(),
  xid bigint not null default pg_current_xact_id()::text::bigint,
  seq bigint generated always as identity,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, epoch, xid, seq)
);

-- Up to where the events of a workspace were removed for their age: whoever read less has missed some.
create table event_removal (
  workspace_id uuid primary key references workspace,
  epoch integer not null,
  xid bigint not null,
  seq bigint not null
);

create table webhook_endpoint (
  workspace_id uuid not null references workspace,
  id uuid not null,
  url text not null check (char_length(url) <= 2000),
  description text not null default '' check (char_length(description) <= 200),
  -- Which events it is told of; empty: all of them.
  types text[] not null default '{}',
  secret text not null,
  -- Signs too, until then, while a receiver changes to the new one.
  previous_secret text,
  previous_secret_until timestamptz,
  -- Since when no delivery has succeeded; null after one that did.
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('by_request', 'gone', 'failing')),
  -- The last event that became a delivery, or was passed over.
  cursor_epoch integer not null,
  cursor_xid bigint not null,
  cursor_seq bigint not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Endpoints that follow the events: what a worker goes through. Ids only.
create table webhook_follower (
  endpoint_id uuid primary key,
  workspace_id uuid not null
);

create table webhook_delivery (
  workspace_id uuid not null,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  endpoint_id uuid not null,
  event_epoch integer not null,
  event_xid bigint not null,
  event_seq bigint not null,
  event_type text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'cancelled')),
  attempts smallint not null default 0,
  -- The next attempt, of a pending one.
  due_at timestamptz,
  -- One entry an attempt: {at, status, error, duration_ms}.
  log jsonb not null,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, endpoint_id) references webhook_endpoint on delete cascade
);
-- The deliveries of an endpoint, newest first; and its foreign key.
create index webhook_delivery_by_endpoint on webhook_delivery (workspace_id, endpoint_id, id);
-- What is cancelled with its endpoint.
create index webhook_delivery_pending on webhook_delivery (workspace_id, endpoint_id) where state = 'pending';

-- A job may wait for its time.
alter table outgoing_job add column start_after timestamptz;

do $$
declare guarded text;
begin
  foreach guarded in array array['event', 'event_removal', 'webhook_endpoint', 'webhook_delivery'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
  end loop;
end $$;

grant execute on function renew_event_epoch() to hearback_service;
grant select on event_epoch to hearback_service;
grant select, insert, delete on event to hearback_service;
grant select, insert, update on event_removal to hearback_service;
grant select, insert, update, delete on webhook_endpoint, webhook_delivery, webhook_follower to hearback_service;
