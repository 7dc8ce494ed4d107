-- On which channel the agent is. Null: nobody has said so.
alter table campaign add column agent_channel text check (agent_channel in ('left', 'right'));

alter table call
  -- Null: as the campaign says. 'unknown' takes that back for this call.
  add column agent_channel text check (agent_channel in ('left', 'right', 'unknown')),
  -- What one pass over the audio learned (calls/measured-audio.ts), written when the call becomes ready.
  add column measured jsonb,
  -- What a person should know before trusting the call: [{code, detail}].
  add column warnings jsonb not null default '[]',
  add column playback_key text,
  add column playback_bytes bigint,
  -- The waveform, and right behind it the turns of speech.
  add column drawing_key text,
  add column waveform_bytes integer,
  add column drawing_bytes integer;

-- What failed, to be run again; what is still to be prepared, to find what was lost on the way.
create index call_unsettled on call (workspace_id, status, id) where status <> 'ready';

-- How far each step of a call's preparation came. No row: it waits for a worker.
create table call_step (
  workspace_id uuid not null,
  call_id uuid not null,
  step text not null check (step in ('prepare')),
  state text not null check (state in ('running', 'done', 'failed')),
  attempts smallint not null,
  reason_code text,
  reason_detail text,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (workspace_id, call_id, step),
  foreign key (workspace_id, call_id) references call
) partition by range (call_id);
alter table call_step enable row level security;
alter table call_step force row level security;
create policy own_workspace on call_step using (workspace_id = current_workspace());

-- A month of one table, as a partition with row-level security of its own.
create function add_partition(parent text, at timestamptz) returns void
  language plpgsql set search_path = public, pg_temp as $$
declare
  month timestamptz := date_trunc('month', at, 'UTC');
  until timestamptz := (date_trunc('month', at at time zone 'UTC') + interval '1 month') at time zone 'UTC';
  part text := parent || '_' || to_char(at at time zone 'UTC', 'YYYY_MM');
begin
  execute format('create table %I (like %I including defaults including constraints)', part, parent);
  execute format('alter table %I enable row level security', part);
  execute format('alter table %I force row level security', part);
  execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', part);
  -- Attaching holds a weaker lock than "create table … partition of".
  execute format('alter table %I attach partition %I for values from (%L) to (%L)',
    parent, part, first_call_id(month), first_call_id(until));
end $$;
revoke execute on function add_partition(text, timestamptz) from public;

create or replace function add_call_month(at timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
begin
  if at < '2000-01-01T00:00:00Z' or at > now() + interval '3 months' then
    raise exception 'no calls are kept for %', at;
  end if;
  perform pg_advisory_xact_lock(hashtext('hearback.add_call_month'));
  if to_regclass('public.call_' || to_char(at at time zone 'UTC', 'YYYY_MM')) is not null then return; end if;
  -- Imports wait behind these locks: give up soon and let the caller try again. Taken in the order in which an import
  -- takes them, so that neither can hold what the other waits for.
  set local lock_timeout = '1s';
  lock table call, call_metadata, call_step in share row exclusive mode;
  foreach parent in array array['call', 'call_metadata', 'call_step'] loop
    perform add_partition(parent, at);
  end loop;
end $$;

-- The months that are there already.
do $$
declare month text;
begin
  for month in select substr(relname, 6) from pg_class
    where relispartition and relnamespace = 'public'::regnamespace and relname ~ '^call_\d{4}_\d\d$' loop
    perform add_partition('call_step', to_timestamp(month || '_15', 'YYYY_MM_DD'));
  end loop;
end $$;

grant select, insert, update, delete on call_step to hearback_service;
