-- migrate: no transaction
-- Which steps there are is for the code to say: more are coming.
alter table call_step drop constraint if exists call_step_step_check;

-- Reading the audit log in the order of its numbers: what was done to something, what a key did, one kind of action.
create index concurrently if not exists audit_entry_by_subject on audit_entry (workspace_id, subject_type, subject_id, number);
create index concurrently if not exists audit_entry_by_actor on audit_entry (workspace_id, actor_id, number) where actor_id is not null;
create index concurrently if not exists audit_entry_by_action on audit_entry (workspace_id, action, number);
-- From a time to the numbers around it.
create index concurrently if not exists audit_entry_by_time on audit_entry (workspace_id, at, number);
