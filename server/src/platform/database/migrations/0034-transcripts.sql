set local lock_timeout = '2s';
-- No month is added until the end of this transaction.
select pg_advisory_xact_lock(hashtext('hearback.add_call_month'));

-- The transcript of a call: where its words are. Its step (waiting, failed …) is in call_step.
create table transcript (
  workspace_id uuid not null,
  call_id uuid not null,
  -- Of this version (UUIDv7); corrections belong to it.
  id uuid not null,
  -- The words: compressed JSON in the object store.
  object_key text not null,
  object_bytes integer not null,
  language text not null,
  engine text not null,
  model text not null,
  -- Of our processing.
  version integer not null,
  -- {channel: number of words}
  words jsonb not null,
  -- {kind: number of masked parts}
  masked jsonb not null default '{}',
  -- [[start, end]] in milliseconds: silent in the playback copy. Null: the sound is not masked.
  muted jsonb,
  created_at timestamptz not null default now(),
  primary key (workspace_id, call_id)
) partition by range (call_id);
alter table transcript enable row level security;
alter table transcript force row level security;
create policy own_workspace on transcript using (workspace_id = current_workspace());
grant select, insert, update, delete on transcript to hearback_service;
-- The months that are there already.
do $$
declare at timestamptz;
begin
  for at in select month from call_month loop
    perform add_partition('transcript', at);
  end loop;
end $$;

-- Words that a person corrected. The latest number of a word counts; nothing is overwritten.
create table transcript_correction (
  workspace_id uuid not null,
  call_id uuid not null,
  transcript_id uuid not null,
  turn integer not null check (turn >= 0),
  word integer not null check (word >= 0),
  number integer not null check (number > 0),
  -- Null: back to what the engine understood.
  text text check (char_length(text) between 1 and 100),
  author_type text not null check (author_type in ('key', 'user')),
  author_id uuid not null,
  at timestamptz not null default now(),
  primary key (workspace_id, call_id, transcript_id, turn, word, number)
);
alter table transcript_correction enable row level security;
alter table transcript_correction force row level security;
create policy own_workspace on transcript_correction using (workspace_id = current_workspace());
grant select, insert, delete on transcript_correction to hearback_service;

-- A transcription that has begun, so that a worker continues where another one was killed. The words of its stretches are
-- not masked yet: they are encrypted with a key that is in the object store only, and deleted when the transcript is stored.
create table transcript_run (
  workspace_id uuid not null,
  call_id uuid not null,
  key_object text not null,
  started_at timestamptz not null default now(),
  primary key (workspace_id, call_id)
);
alter table transcript_run enable row level security;
alter table transcript_run force row level security;
create policy own_workspace on transcript_run using (workspace_id = current_workspace());
grant select, insert, update, delete on transcript_run to hearback_service;

create table transcript_stretch (
  workspace_id uuid not null,
  call_id uuid not null,
  number integer not null check (number >= 0),
  -- How often it was sent to the engine.
  sent integer not null default 1,
  -- Null: the engine has not answered.
  encrypted_words bytea,
  primary key (workspace_id, call_id, number),
  foreign key (workspace_id, call_id) references transcript_run on delete cascade
);
alter table transcript_stretch enable row level security;
alter table transcript_stretch force row level security;
create policy own_workspace on transcript_stretch using (workspace_id = current_workspace());
grant select, insert, update, delete on transcript_stretch to hearback_service;

-- Speech that was sent to the engine, for quotas and costs.
create table transcription_usage (
  workspace_id uuid not null references workspace,
  -- UTC
  day date not null,
  calls integer not null default 0,
  speech_ms bigint not null default 0,
  primary key (workspace_id, day)
);
alter table transcription_usage enable row level security;
alter table transcription_usage force row level security;
create policy own_workspace on transcription_usage using (workspace_id = current_workspace());
grant select, insert, update, delete on transcription_usage to hearback_service;

create or replace function add_call_month(at timestamptz, most integer) returns void
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
  if exists (select from call_month where month = date_trunc('month', at, 'UTC')) then return; end if;
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
  perform add_partition('transcript', at);
  perform add_partition('call', at);
  insert into call_month (month, opened_by) values (date_trunc('month', at, 'UTC'), mine);
end $$;
