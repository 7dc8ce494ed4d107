set local lock_timeout = '2s';

-- One reviewer's assessment of one call on one version of a scorecard: its current state. No foreign key to call (it is
-- partitioned, and imports are hot) or to users (erasing a user leaves the reviews that they wrote).
create table review (
  workspace_id uuid not null references workspace,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  call_id uuid not null,
  -- Of the call, when the review was started.
  agent_id uuid not null,
  campaign_id text not null,
  -- Of the agent, when the review was submitted.
  team_id uuid,
  scorecard_id uuid not null,
  version integer not null,
  reviewer_type text not null check (reviewer_type in ('key', 'user')),
  reviewer_id uuid not null,
  -- How the call was selected.
  selection text not null check (selection in ('drawn', 'picked', 'calibration', 'second')),
  state text not null check (state in ('draft', 'submitted', 'released', 'voided')),
  -- ETag of the draft; grows with every change of the review.
  number integer not null default 1,
  -- The latest revision. 0: never submitted.
  revision integer not null default 0,
  -- Of the latest revision, in hundredths. Null: not scored, or a draft.
  score integer check (score between 0 and 10000),
  outcome text check (outcome in ('passed', 'failed', 'not_scored')),
  -- Time that the reviewer worked on it.
  active_ms integer not null default 0 check (active_ms >= 0),
  created_at timestamptz not null default now(),
  submitted_at timestamptz,
  released_at timestamptz,
  -- The agent can object until then.
  disputable_until timestamptz,
  acknowledged_at timestamptz,
  acknowledgement text check (char_length(acknowledgement) <= 2000),
  -- State of the latest dispute.
  dispute text check (dispute in ('open', 'resolved')),
  voided_at timestamptz,
  voided_by_type text,
  voided_by_id uuid,
  -- Empty: the call was erased.
  void_reason text check (char_length(void_reason) <= 2000),
  primary key (workspace_id, id),
  foreign key (workspace_id, scorecard_id, version) references scorecard_version,
  check ((state = 'draft') = (outcome is null)),
  check ((state in ('submitted', 'released')) <= (revision > 0 and submitted_at is not null)),
  check (state <> 'released' or released_at is not null),
  check ((state = 'voided') = (voided_at is not null))
);
-- The reviews of a call.
create index review_by_call on review (workspace_id, call_id, id);
-- A reviewer has at most one draft for a call and a scorecard.
create unique index review_one_draft on review (workspace_id, call_id, scorecard_id, reviewer_id) where state = 'draft';
-- GET /reviews?agent_id=…, and an agent's own list.
create index review_by_agent on review (workspace_id, agent_id, id);
create index review_released_by_agent on review (workspace_id, agent_id, released_at, id) where released_at is not null;
-- GET /reviews?reviewer_id=…
create index review_by_reviewer on review (workspace_id, reviewer_id, id);
-- GET /reviews?scorecard_id=…; also the foreign key.
create index review_by_scorecard on review (workspace_id, scorecard_id, version, id);
-- GET /reviews?state=submitted: what waits for release.
create index review_to_release on review (workspace_id, id) where state = 'submitted';
-- What an agent has not acknowledged yet, for the badge.
create index review_to_acknowledge on review (workspace_id, agent_id) where state = 'released' and acknowledged_at is null;
-- Reviews whose retention is over.
create index review_by_submission on review (workspace_id, submitted_at) where submitted_at is not null;
-- GET /calls?outcome=… and ?reviewer_id=…: calls in the order of their ids, which is that of their times.
create index review_call_by_outcome on review (workspace_id, outcome, call_id) where state in ('submitted', 'released');
create index review_call_by_reviewer on review (workspace_id, reviewer_id, call_id) where state in ('submitted', 'released');

-- The answers of a draft. Deleted when it is submitted.
create table review_draft (
  workspace_id uuid not null,
  review_id uuid not null,
  -- {question id: {value | not_applicable, comment, moments}}
  answers jsonb not null default '{}' check (octet_length(answers::text) <= 2000000),
  comment text not null default '' check (char_length(comment) <= 4000),
  primary key (workspace_id, review_id),
  foreign key (workspace_id, review_id) references review on delete cascade
);

-- A submitted state of a review. Every later change adds one.
create table review_revision (
  workspace_id uuid not null,
  review_id uuid not null,
  number integer not null check (number > 0),
  at timestamptz not null default clock_timestamp(),
  author_type text not null check (author_type in ('key', 'user')),
  author_id uuid not null,
  cause text not null check (cause in ('submitted', 'corrected', 'dispute')),
  -- {question id: {value | not_applicable}}, without comments and moments: they are about the customer's call and are
  -- erased with it, while answers and scores are about the agent and stay.
  answers jsonb not null,
  -- What the formula made of the answers.
  result jsonb not null,
  score integer check (score between 0 and 10000),
  outcome text not null check (outcome in ('passed', 'failed', 'not_scored')),
  primary key (workspace_id, review_id, number),
  foreign key (workspace_id, review_id) references review
);

-- Comments and moments of a revision: on an answer, on the whole review, and the reason of a correction.
create table review_comment (
  workspace_id uuid not null,
  review_id uuid not null,
  revision integer not null,
  part text not null check (part in ('answer', 'review', 'reason')),
  -- Empty unless it is about an answer.
  question_id text not null default '',
  comment text not null check (char_length(comment) <= 4000),
  -- [{start_ms, end_ms}]
  moments jsonb not null default '[]',
  primary key (workspace_id, review_id, revision, part, question_id),
  foreign key (workspace_id, review_id, revision) references review_revision,
  check ((part = 'answer') = (question_id <> ''))
);

-- An agent's objection to answers of a released review.
create table dispute (
  workspace_id uuid not null,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  review_id uuid not null,
  -- 2: against the decision of the first.
  level integer not null check (level in (1, 2)),
  state text not null check (state in ('open', 'resolved')),
  -- The revision that the agent saw, and the one that the decision made.
  revision integer not null,
  resolved_revision integer,
  -- Decides it. Null: nobody can.
  arbiter_id uuid,
  opened_at timestamptz not null default now(),
  due_at timestamptz not null,
  -- When dispute.overdue was emitted.
  overdue_at timestamptz,
  resolved_at timestamptz,
  resolved_by_type text check (resolved_by_type in ('key', 'user')),
  resolved_by_id uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id, review_id) references review,
  check ((state = 'resolved') = (resolved_at is not null))
);
create index dispute_by_review on dispute (workspace_id, review_id, id);
create unique index dispute_one_open on dispute (workspace_id, review_id) where state = 'open';
-- GET /disputes?state=open, and the badge.
create index dispute_open on dispute (workspace_id, id) where state = 'open';
-- The disputes of an arbiter; the last one, for taking turns.
create index dispute_by_arbiter on dispute (workspace_id, arbiter_id, id);
-- Disputes that are overdue and not announced.
create index dispute_unannounced on dispute (workspace_id, due_at) where state = 'open' and overdue_at is null;

create table dispute_item (
  workspace_id uuid not null,
  dispute_id uuid not null,
  question_id text not null,
  -- The answer that the agent proposes: {value | not_applicable}.
  proposed jsonb not null,
  -- Empty: the call was erased.
  reason text not null check (char_length(reason) <= 2000),
  -- {start_ms, end_ms}
  moment jsonb,
  decision text check (decision in ('upheld', 'changed')),
  -- The answer after the decision.
  decided jsonb,
  explanation text check (char_length(explanation) <= 2000),
  primary key (workspace_id, dispute_id, question_id),
  foreign key (workspace_id, dispute_id) references dispute
);

-- A note at a position of a call, without a review.
create table call_note (
  workspace_id uuid not null references workspace,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  call_id uuid not null,
  position_ms integer not null check (position_ms >= 0),
  text text not null check (char_length(text) between 1 and 2000),
  author_type text not null check (author_type in ('key', 'user')),
  author_id uuid not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz,
  primary key (workspace_id, id)
);
create index call_note_by_call on call_note (workspace_id, call_id, position_ms, id);

do $$
declare guarded text;
begin
  foreach guarded in array array['review', 'review_draft', 'review_revision', 'review_comment', 'dispute', 'dispute_item', 'call_note'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
  end loop;
end $$;

-- Protects revisions and their comments from everyone, including the owner of the tables. They are deleted only with their
-- workspace, by the erasure of their agent, after their retention, and comments also with their call.
create function protect_revision() returns trigger
  language plpgsql as $$
declare
  head review;
  kept_months integer;
begin
  if tg_op = 'UPDATE' then
    raise exception 'a revision of a review never changes' using errcode = 'HB004';
  end if;
  if exists (select from erasure where workspace_id = old.workspace_id and kind = 'workspace' and state <> 'done') then
    return old;
  end if;
  select * into head from review where workspace_id = old.workspace_id and id = old.review_id;
  if exists (select from erasure
    where workspace_id = old.workspace_id and kind = 'agent' and agent_id = head.agent_id and state <> 'done') then
    return old;
  end if;
  select (settings ->> 'review_retention_months')::integer into kept_months from workspace where id = old.workspace_id;
  if head.submitted_at < now() - make_interval(months => kept_months) then return old; end if;
  if tg_table_name = 'review_comment'
    and not exists (select from call where workspace_id = old.workspace_id and id = head.call_id) then
    return old;
  end if;
  raise exception 'a revision of a review is deleted only with its agent or its workspace' using errcode = 'HB004';
end $$;
create trigger protect_revision before update or delete on review_revision
  for each row execute function protect_revision();
create trigger protect_revision before update or delete on review_comment
  for each row execute function protect_revision();

-- Removes what was written about calls that were deleted, in the transaction that deletes them. Answers and scores stay.
create function remove_calls_from_reviews(calls uuid[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine uuid := current_workspace();
  reviews uuid[];
begin
  if exists (select from call where workspace_id = mine and id = any (calls)) then
    raise exception 'a call is not deleted' using errcode = 'HB004';
  end if;
  -- In the order of ids, so that two erasures do not wait for each other.
  select array_agg(id) into reviews from (select id from review where workspace_id = mine and call_id = any (calls)
    order by id for no key update) as locked;
  if reviews is null then return; end if;
  delete from review_draft where workspace_id = mine and review_id = any (reviews);
  delete from review where workspace_id = mine and id = any (reviews) and state = 'draft' and revision = 0;
  -- A draft that was submitted before is what it was then.
  update review as r set state = 'submitted', score = latest.score, outcome = latest.outcome, number = r.number + 1
    from review_revision as latest
    where r.workspace_id = mine and r.id = any (reviews) and r.state = 'draft'
      and latest.workspace_id = mine and latest.review_id = r.id and latest.number = r.revision;
  update review set acknowledgement = null, void_reason = '' where workspace_id = mine and id = any (reviews)
    and (acknowledgement is not null or void_reason is not null);
  update dispute_item set reason = '', moment = null, explanation = case when explanation is not null then '' end
    where workspace_id = mine
      and dispute_id in (select id from dispute where workspace_id = mine and review_id = any (reviews));
  delete from review_comment where workspace_id = mine and review_id = any (reviews);
end $$;
revoke execute on function remove_calls_from_reviews(uuid[]) from public;
grant execute on function remove_calls_from_reviews(uuid[]) to hearback_service;

-- Deletes reviews with everything that belongs to them. The trigger above refuses reviews that must be kept.
create function delete_reviews(reviews uuid[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine uuid := current_workspace();
begin
  delete from dispute_item where workspace_id = mine
    and dispute_id in (select id from dispute where workspace_id = mine and review_id = any (reviews));
  delete from dispute where workspace_id = mine and review_id = any (reviews);
  delete from review_comment where workspace_id = mine and review_id = any (reviews);
  delete from review_revision where workspace_id = mine and review_id = any (reviews);
  delete from review where workspace_id = mine and id = any (reviews);
end $$;
revoke execute on function delete_reviews(uuid[]) from public;
grant execute on function delete_reviews(uuid[]) to hearback_service;

-- A draft can be discarded. A submitted review has revisions, which refer to it.
grant select, insert, update, delete on review, review_draft, call_note to hearback_service;
grant select, insert, update on dispute, dispute_item to hearback_service;
-- Neither update nor delete: a revision never changes.
grant select, insert on review_revision, review_comment to hearback_service;
