set local lock_timeout = '2s';

-- A standing rule by which calls are drawn for review.
create table review_plan (
  workspace_id uuid not null references workspace,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  scorecard_id uuid not null,
  -- What decides which calls are drawn (DrawRules). A draw keeps a copy, to which it is committed.
  rules jsonb not null check (octet_length(rules::text) <= 100000),
  -- Who reviews them. Can be changed until the frame of a draw is closed.
  due_days integer not null check (due_days between 1 and 60),
  second_percent integer not null check (second_percent between 0 and 20),
  skip_team_lead boolean not null,
  -- Hours between the end of a period and the draw, in which the nonce can still be set.
  close_delay_hours integer not null check (close_delay_hours between 0 and 72),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, scorecard_id) references scorecard
);
-- The foreign key.
create index review_plan_by_scorecard on review_plan (workspace_id, scorecard_id);

create table plan_reviewer (
  workspace_id uuid not null,
  plan_id uuid not null,
  user_id uuid not null,
  -- Reviews in a period.
  capacity integer not null check (capacity between 1 and 1000),
  primary key (workspace_id, plan_id, user_id),
  foreign key (workspace_id, plan_id) references review_plan,
  foreign key (workspace_id, user_id) references app_user on delete cascade
);
create index plan_reviewer_by_user on plan_reviewer (workspace_id, user_id);

-- One period of a plan.
create table review_draw (
  workspace_id uuid not null,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  plan_id uuid not null,
  number integer not null check (number > 0),
  -- First and last local day, for example 2026-11-16/2026-11-22.
  period text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  closes_at timestamptz not null check (closes_at >= ends_at),
  rules jsonb not null,
  -- 32 random bytes, secret until the frame is closed, and their SHA-256, which is published before the period begins.
  key bytea not null check (octet_length(key) = 32),
  commitment bytea not null check (commitment = sha256(key)),
  -- Number of the audit entry that contains the commitment.
  commitment_entry bigint,
  nonce text not null default '' check (char_length(nonce) <= 200),
  -- committed → collecting (calls) → hashing (roots of agents) → closed (root known) → assigning (reviewers) → drawn
  state text not null default 'committed' check (state in ('committed', 'collecting', 'hashing', 'closed', 'assigning', 'drawn')),
  -- Where the step was interrupted.
  position jsonb not null default '{}',
  -- Reviewers with capacities and the other settings of the plan, when the frame was closed.
  staffing jsonb,
  root bytea check (octet_length(root) = 32),
  agents integer not null default 0,
  calls integer not null default 0,
  closed_at timestamptz,
  drawn_at timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, plan_id, number),
  foreign key (workspace_id, plan_id) references review_plan,
  check ((root is null) = (closed_at is null)),
  check ((state = 'drawn') = (drawn_at is not null))
);
-- Draws to close.
create index review_draw_unfinished on review_draw (workspace_id, closes_at) where state <> 'drawn';

-- Calls that became ready while the workspace had a plan, until every frame that they can belong to is closed.
create table ready_call (
  workspace_id uuid not null references workspace,
  ready_at timestamptz not null default clock_timestamp(),
  call_id uuid not null,
  primary key (workspace_id, ready_at, call_id)
);

-- The frame of a draw. A call is in one frame of a plan at most.
create table draw_call (
  workspace_id uuid not null,
  plan_id uuid not null,
  call_id uuid not null,
  draw_id uuid not null,
  agent_id uuid not null,
  primary key (workspace_id, plan_id, call_id)
);
-- The calls of an agent in a draw, in the order of the Merkle tree.
create index draw_call_by_agent on draw_call (workspace_id, draw_id, agent_id, call_id);

-- The agents of a frame, in the order of their ids.
create table draw_agent (
  workspace_id uuid not null,
  draw_id uuid not null,
  position integer not null check (position >= 0),
  -- Null: erased. The root stays, because the root of the frame depends on it.
  agent_id uuid,
  calls integer not null check (calls > 0),
  -- Merkle root of the ids of the agent's calls.
  root bytea not null check (octet_length(root) = 32),
  -- Calls to draw. Null: not drawn yet.
  take integer check (take >= 0),
  primary key (workspace_id, draw_id, position),
  foreign key (workspace_id, draw_id) references review_draw
);
-- The draws of an agent.
create index draw_agent_by_agent on draw_agent (workspace_id, agent_id, draw_id);

-- A drawn call on a reviewer's queue.
create table assignment (
  workspace_id uuid not null,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  plan_id uuid not null,
  draw_id uuid not null,
  scorecard_id uuid not null,
  call_id uuid not null,
  agent_id uuid not null,
  kind text not null check (kind in ('first', 'second')),
  ticket bytea not null check (octet_length(ticket) = 32),
  -- Number among the agent's tickets in the draw. Those from `take` on replace skipped ones.
  place integer not null check (place >= 0),
  -- Month of the period's last day, for the monthly limit.
  month date not null,
  -- pending: without a reviewer yet, because the draw is not finished.
  state text not null check (state in ('pending', 'open', 'done', 'skipped')),
  -- Null: nobody can review it, or it was handed back and nobody else can.
  reviewer_id uuid,
  due_at timestamptz not null,
  -- The review that was started for it.
  review_id uuid,
  done_at timestamptz,
  skip_reason text check (skip_reason in ('inaudible', 'wrong_agent', 'conflict', 'other', 'erased')),
  -- Empty: the call was erased.
  skip_note text check (char_length(skip_note) <= 500),
  skipped_by uuid,
  -- The call was erased, and the next ticket has not taken its place yet.
  to_replace boolean not null default false,
  -- Users who handed it back.
  declined_by uuid[] not null default '{}' check (cardinality(declined_by) <= 1000),
  primary key (workspace_id, id),
  unique (workspace_id, draw_id, call_id, kind),
  foreign key (workspace_id, draw_id) references review_draw,
  check ((state = 'skipped') = (skip_reason is not null)),
  check ((state = 'done') = (done_at is not null))
);
-- A reviewer's queue: what is due first, then by ticket. Also unassigned ones.
create index assignment_queue on assignment (workspace_id, reviewer_id, due_at, ticket) where state = 'open';
-- What a reviewer did, newest first.
create index assignment_done on assignment (workspace_id, reviewer_id, done_at) where state = 'done';
-- The assignments of a draw, by agent and place.
create index assignment_by_draw on assignment (workspace_id, draw_id, agent_id, place);
-- An agent's monthly limit, and the erasure of an agent.
create index assignment_by_agent on assignment (workspace_id, agent_id, month);
-- The assignment of a review.
create index assignment_by_review on assignment (workspace_id, review_id) where review_id is not null;
-- Erased calls to replace.
create index assignment_to_replace on assignment (workspace_id, draw_id) where to_replace;
-- The assignments of a call: starting a review, and erasure.
create index assignment_by_call on assignment (workspace_id, call_id);

do $$
declare guarded text;
begin
  foreach guarded in array array['review_plan', 'plan_reviewer', 'review_draw', 'ready_call', 'draw_call', 'draw_agent', 'assignment'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
  end loop;
end $$;
grant select, insert, update on review_plan, draw_agent to hearback_service;
grant select, insert, update, delete on review_draw, plan_reviewer, assignment to hearback_service;
-- No update: a call stays in its frame.
grant select, insert, delete on ready_call, draw_call to hearback_service;

-- Keeps what a draw is committed to, also from the owner of the tables.
create function protect_draw() returns trigger
  language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.starts_at <= now()
      and not exists (select from erasure where workspace_id = old.workspace_id and kind = 'workspace' and state <> 'done') then
      raise exception 'a draw that has begun is not deleted' using errcode = 'HB004';
    end if;
    return old;
  end if;
  if old.starts_at <= now() and (new.key, new.commitment, new.rules, new.period, new.starts_at, new.ends_at)
    is distinct from (old.key, old.commitment, old.rules, old.period, old.starts_at, old.ends_at) then
    raise exception 'a draw that has begun does not change' using errcode = 'HB004';
  end if;
  if old.state <> 'committed' and new.nonce <> old.nonce then
    raise exception 'the nonce of a closed draw does not change' using errcode = 'HB004';
  end if;
  if old.root is not null and (new.root, new.closed_at, new.staffing, new.agents, new.calls)
    is distinct from (old.root, old.closed_at, old.staffing, old.agents, old.calls) then
    raise exception 'the frame of a closed draw does not change' using errcode = 'HB004';
  end if;
  return new;
end $$;
create trigger protect_draw before update or delete on review_draw for each row execute function protect_draw();

-- Skips the assignments of calls that are deleted; the next ticket takes their place. Those whose review was submitted stay.
create function skip_assignments_of(calls uuid[]) returns void
  language sql set search_path = public, pg_temp as $$
  update assignment set skip_note = '' where workspace_id = current_workspace() and call_id = any (calls) and skip_note is not null;
  update assignment set state = 'skipped', skip_reason = 'erased', review_id = null, to_replace = kind = 'first'
    where workspace_id = current_workspace() and call_id = any (calls) and state in ('pending', 'open');
$$;

-- The user who leads a team. A plan can keep them from reviewing its members.
alter table team add column lead_id uuid;
