-- Reading the audit log in the order of its numbers: what was done to something, what a key did, one kind of action.
create index audit_entry_by_subject on audit_entry (workspace_id, subject_type, subject_id, number);
create index audit_entry_by_actor on audit_entry (workspace_id, actor_id, number) where actor_id is not null;
create index audit_entry_by_action on audit_entry (workspace_id, action, number);
-- From a time to the numbers around it.
create index audit_entry_by_time on audit_entry (workspace_id, at, number);

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
