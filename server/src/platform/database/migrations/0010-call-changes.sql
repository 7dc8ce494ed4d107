-- What was changed about a call, and what it was before. The values are personal: they go with their call, and agents are
-- named by their ids alone. A plain table, not a month's: few calls are ever changed.
create table call_change (
  workspace_id uuid not null,
  call_id uuid not null,
  -- 1 is the call's first change. Whoever changes a call holds its row, so no number is given twice.
  number integer not null,
  at timestamptz not null default clock_timestamp(),
  actor_type text not null check (actor_type in ('key', 'user', 'operator', 'system')),
  actor_id uuid,
  -- {member: {from, to}}
  changed jsonb not null,
  primary key (workspace_id, call_id, number),
  foreign key (workspace_id, call_id) references call on delete cascade
);
alter table call_change enable row level security;
alter table call_change force row level security;
create policy own_workspace on call_change using (workspace_id = current_workspace());

-- Neither update nor delete: a change stays as long as its call does.
grant select, insert on call_change to hearback_service;
