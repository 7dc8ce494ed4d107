-- The user who created or rotated the key. Deactivating the user revokes it. Null: created by an operator, by another
-- key, or before this column existed.
alter table api_key add column created_by uuid;
-- The keys of a user, when the user is deactivated or erased.
create index api_key_by_creator on api_key (workspace_id, created_by) where created_by is not null;
