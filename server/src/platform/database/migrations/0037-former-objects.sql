-- migrate: no transaction

-- The call whose object was replaced: an erasure of the call deletes it at once, without the sweeper's delay.
alter table staged_object add column if not exists call_id uuid;
create index concurrently if not exists staged_object_of_call on staged_object (call_id) where call_id is not null;
