set local lock_timeout = '2s';

-- A group of agents.
create table team (
  workspace_id uuid not null references workspace,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  -- The name as it is compared: without case and surrounding space.
  name_key text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, name_key)
);

alter table app_user
  add column team_id uuid,
  add constraint app_user_team foreign key (workspace_id, team_id) references team;
-- The members of a team.
create index app_user_by_team on app_user (workspace_id, team_id) where team_id is not null;

alter table team enable row level security;
alter table team force row level security;
create policy own_workspace on team using (workspace_id = current_workspace());
grant select, insert, update, delete on team to hearback_service;
