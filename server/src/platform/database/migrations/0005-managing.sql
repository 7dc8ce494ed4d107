-- Who does not work here any more keeps their history; their address stays taken.
alter table app_user add column deactivated_at timestamptz;
-- Was an agent once and has another role now: calls of that time may still come.
alter table app_user add column former_agent boolean not null default false;

-- When it was last used, to the minute, and which key took its place.
alter table api_key add column last_used_at timestamptz;
alter table api_key add column replaced_by uuid;
alter table api_key add foreign key (workspace_id, replaced_by) references api_key;
create index api_key_replaced_by on api_key (workspace_id, replaced_by) where replaced_by is not null;

-- Its columns are named: a statement that was prepared must not change its result when the table gets another column.
-- What has ended is not found, as what never was: neither takes longer to refuse.
create function find_api_key(presented bytea)
  returns table (workspace_id uuid, id uuid, scopes text[], campaign_ids text[], expires_at timestamptz)
  language plpgsql as $$
begin
  perform set_config('hearback.api_key_hash', encode(presented, 'hex'), true);
  return query
    select k.workspace_id, k.id, k.scopes, k.campaign_ids, k.expires_at from api_key as k
    where k.hash = presented and k.revoked_at is null and (k.expires_at is null or k.expires_at > now());
end $$;

-- For processes of the release before, which know of no restriction to campaigns: to them a restricted key is not there.
drop function identify_api_key(bytea);
create function identify_api_key(presented bytea)
  returns table (workspace_id uuid, id uuid, name text, hash bytea, scopes text[],
    expires_at timestamptz, revoked_at timestamptz, created_at timestamptz)
  language plpgsql as $$
begin
  perform set_config('hearback.api_key_hash', encode(presented, 'hex'), true);
  return query
    select k.workspace_id, k.id, k.name, k.hash, k.scopes, k.expires_at, k.revoked_at, k.created_at from api_key as k
    where k.hash = presented and k.campaign_ids is null;
end $$;

-- What a customer decides for the whole workspace, by name; contract/src/workspaces.ts says which there are.
alter table workspace add column settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object');

-- The directory can be read and added to by all, as before; an entry is changed only by who speaks for it.
alter table workspace enable row level security;
create policy read_the_directory on workspace for select using (true);
create policy add_to_the_directory on workspace for insert with check (true);
create policy change_own_entry on workspace for update using (id = current_workspace());
create policy remove_own_entry on workspace for delete using (id = current_workspace());
grant update (name, settings) on workspace to hearback_service;
