-- Whose rows this transaction may see. No setting, or the empty string that a finished one leaves behind, means nobody's.
create function current_workspace() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('hearback.workspace', true), '')::uuid;

-- The directory of workspaces: what a worker goes through. Everything that belongs to one is under row-level security below.
create table workspace (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 200),
  created_at timestamptz not null default now()
);

create table campaign (
  workspace_id uuid not null references workspace,
  id text not null check (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'),
  name text not null check (char_length(name) between 1 and 200),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

create table app_user (
  workspace_id uuid not null references workspace,
  id uuid not null,
  email text not null check (char_length(email) <= 254),
  -- The address as it is compared: without case and surrounding space.
  email_key text not null,
  name text not null check (char_length(name) between 1 and 200),
  role text not null check (role in ('agent', 'reviewer', 'supervisor', 'admin')),
  status text not null check (status in ('active', 'invited')),
  invitation text not null check (invitation in ('not_requested', 'queued', 'not_configured')),
  invitation_sent_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, email_key)
);

create table api_key (
  workspace_id uuid not null references workspace,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  -- SHA-256 of the key. It is looked up before the workspace is known, and reveals nothing: 256 random bits.
  hash bytea not null unique,
  scopes text[] not null check (scopes <@ array['import', 'read', 'manage'] and cardinality(scopes) > 0),
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Ordered by the time of the conversation, which the first 48 bits of its id are; a month is a table.
create table call (
  workspace_id uuid not null,
  id uuid not null,
  campaign_id text not null,
  agent_id uuid not null,
  happened_at timestamptz not null,
  status text not null default 'received' check (status in ('received', 'ready', 'failed')),
  failure_code text,
  failure_detail text,
  -- As sent, in order. Searching reads call_metadata.
  metadata jsonb not null,
  recording_key text not null,
  recording_bytes bigint not null,
  sha256 bytea not null,
  format text not null,
  codec text,
  channels smallint,
  sample_rate integer,
  duration_ms bigint,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, campaign_id) references campaign,
  foreign key (workspace_id, agent_id) references app_user
) partition by range (id);
create index call_by_campaign on call (workspace_id, campaign_id, id);
create index call_by_agent on call (workspace_id, agent_id, id);

-- One row for each entry, for searching: under row-level security an index on jsonb is not used.
-- A value too long for an index row is kept here as its beginning and its digest (search-value.ts).
create table call_metadata (
  workspace_id uuid not null,
  key text not null,
  value text not null,
  call_id uuid not null,
  primary key (workspace_id, key, value, call_id),
  foreign key (workspace_id, call_id) references call
) partition by range (call_id);
create index call_metadata_by_call on call_metadata (workspace_id, call_id);

-- An object that no call claims yet. Whoever condemned it may remove it; a call claims it by deleting the row, unless it
-- is condemned.
create table staged_object (
  key text primary key,
  condemned_at timestamptz,
  created_at timestamptz not null default now()
);
create index staged_object_by_age on staged_object (created_at);

-- Ends a statement that created a call whose recording the sweeper took away meanwhile.
create function recording_was_swept() returns boolean
  language plpgsql as $$
begin
  raise exception 'the recording was swept before its call was written' using errcode = 'HB001';
end $$;

-- Jobs on their way to the queue, written with the rows they are about. Ids only.
create table outgoing_job (
  id bigint generated always as identity primary key,
  name text not null,
  payload jsonb not null
);

-- Forced, so that the owner of the tables is held by it too.
do $$
declare guarded text;
begin
  foreach guarded in array array['campaign', 'app_user', 'api_key', 'call', 'call_metadata'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
  end loop;
end $$;

-- A key is looked up before its workspace is known: whoever has the hash sees the one row it belongs to.
create policy holder_of_the_key on api_key for select
  using (hash = decode(nullif(current_setting('hearback.api_key_hash', true), ''), 'hex'));

create function identify_api_key(presented bytea) returns setof api_key
  language plpgsql as $$
begin
  perform set_config('hearback.api_key_hash', encode(presented, 'hex'), true);
  return query select * from api_key where hash = presented;
end $$;

-- The smallest id of a call that happened at that time or later.
create function first_call_id(at timestamptz) returns uuid
  language sql immutable
  return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- Adds the tables of one month, if they are missing. The service may call it and may create nothing else.
create function add_call_month(at timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month timestamptz := date_trunc('month', at, 'UTC');
  until timestamptz := (date_trunc('month', at at time zone 'UTC') + interval '1 month') at time zone 'UTC';
  suffix text := to_char(at at time zone 'UTC', 'YYYY_MM');
  parent text;
  part text;
begin
  if at < '2000-01-01T00:00:00Z' or at > now() + interval '3 months' then
    raise exception 'no calls are kept for %', at;
  end if;
  perform pg_advisory_xact_lock(hashtext('hearback.add_call_month'));
  if to_regclass('public.call_' || suffix) is not null then return; end if;
  -- Imports wait behind these locks: give up soon and let the caller try again. Taken in the order in which an import
  -- takes them, so that neither can hold what the other waits for.
  set local lock_timeout = '1s';
  lock table call, call_metadata in share row exclusive mode;
  foreach parent in array array['call', 'call_metadata'] loop
    part := parent || '_' || suffix;
    execute format('create table %I (like %I including defaults including constraints)', part, parent);
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', part);
    -- Attaching holds a weaker lock than "create table … partition of".
    execute format('alter table %I attach partition %I for values from (%L) to (%L)',
      parent, part, first_call_id(month), first_call_id(until));
  end loop;
end $$;
revoke execute on function add_call_month(timestamptz) from public;

grant usage on schema public to hearback_service;
grant execute on function add_call_month(timestamptz) to hearback_service;
grant select, insert on workspace to hearback_service;
grant select, insert, update on campaign, app_user, api_key, call to hearback_service;
grant select, insert, delete on call_metadata to hearback_service;
grant select, insert, update, delete on staged_object, outgoing_job to hearback_service;
