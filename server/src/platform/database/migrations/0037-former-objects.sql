set local lock_timeout = '2s';

-- The call whose object was replaced: an erasure of the call deletes it at once, without the sweeper's delay. The table is small.
alter table staged_object add column call_id uuid;
create index staged_object_of_call on staged_object (call_id) where call_id is not null;
