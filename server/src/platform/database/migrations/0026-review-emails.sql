set local lock_timeout = '2s';

-- Whether the user wants the daily email about their reviews.
alter table app_user add column review_email boolean not null default true;

-- What happened to the reviews of an agent since their last daily email. No foreign key: a release must not lock the user.
create table review_email (
  workspace_id uuid not null references workspace,
  agent_id uuid not null,
  released integer not null default 0 check (released >= 0),
  decided integer not null default 0 check (decided >= 0),
  -- When the last email was queued.
  queued_at timestamptz,
  primary key (workspace_id, agent_id)
);
-- Agents to whom an email is due.
create index review_email_due on review_email (workspace_id, agent_id) where released + decided > 0;

alter table review_email enable row level security;
alter table review_email force row level security;
create policy own_workspace on review_email using (workspace_id = current_workspace());
grant select, insert, update, delete on review_email to hearback_service;
