-- (The indexes for reading the audit log are in 0014, which creates them concurrently.)
-- Who is listening to a call or downloading it. A player asks for a recording in many pieces: until then they are one
-- listening, with one entry in the audit log.
create table listening (
  workspace_id uuid not null,
  call_id uuid not null,
  key_id uuid not null,
  form text not null check (form in ('playback', 'original')),
  until timestamptz not null,
  primary key (workspace_id, call_id, key_id, form),
  foreign key (workspace_id, call_id) references call on delete cascade
);
-- What is over, to be removed.
create index listening_by_end on listening (workspace_id, until);
alter table listening enable row level security;
alter table listening force row level security;
create policy own_workspace on listening using (workspace_id = current_workspace());
grant select, insert, update, delete on listening to hearback_service;
