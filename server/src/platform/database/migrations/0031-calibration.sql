-- migrate: no transaction

-- A calibration session: several reviewers score the same calls on the same version of a scorecard, blind until it closes.
create table if not exists calibration (
  workspace_id uuid not null references workspace,
  -- Ordered by time (UUIDv7).
  id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  scorecard_id uuid not null,
  -- The latest when the session was created.
  version integer not null,
  state text not null default 'open' check (state in ('open', 'closed')),
  due_at timestamptz,
  -- A participant whose answers the others are compared with. Null: with the median.
  expert_id uuid,
  created_by_type text not null check (created_by_type in ('key', 'user')),
  created_by_id uuid not null,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, scorecard_id, version) references scorecard_version,
  check ((state = 'closed') = (closed_at is not null))
);

-- The calls of a session. No foreign key to call: it is partitioned, and imports are hot.
create table if not exists calibration_call (
  workspace_id uuid not null,
  calibration_id uuid not null,
  call_id uuid not null,
  position integer not null,
  -- The call was erased. Answers that were submitted before stay.
  erased_at timestamptz,
  primary key (workspace_id, calibration_id, call_id),
  foreign key (workspace_id, calibration_id) references calibration on delete cascade
);
-- Erasure of calls.
create index if not exists calibration_call_by_call on calibration_call (workspace_id, call_id);

-- No foreign key to users: erasing a user leaves the reviews that they wrote.
create table if not exists calibration_participant (
  workspace_id uuid not null,
  calibration_id uuid not null,
  user_id uuid not null,
  primary key (workspace_id, calibration_id, user_id),
  foreign key (workspace_id, calibration_id) references calibration on delete cascade
);
-- GET /calibrations of a reviewer.
create index if not exists calibration_participant_by_user on calibration_participant (workspace_id, user_id, calibration_id);

-- What the participants decided about a question.
create table if not exists calibration_decision (
  workspace_id uuid not null,
  calibration_id uuid not null,
  question_id text not null,
  text text not null check (char_length(text) between 1 and 2000),
  decided_by_type text not null check (decided_by_type in ('key', 'user')),
  decided_by_id uuid not null,
  decided_at timestamptz not null default now(),
  primary key (workspace_id, calibration_id, question_id),
  foreign key (workspace_id, calibration_id) references calibration on delete cascade
);

do $$
declare guarded text;
begin
  foreach guarded in array array['calibration', 'calibration_call', 'calibration_participant', 'calibration_decision'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('drop policy if exists own_workspace on %I', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
    execute format('grant select, insert, update, delete on %I to hearback_service', guarded);
  end loop;
end $$;

-- The session of a calibration review.
alter table review add column if not exists calibration_id uuid;
alter table review drop constraint if exists review_calibration;
alter table review add constraint review_calibration
  foreign key (workspace_id, calibration_id) references calibration not valid;
alter table review validate constraint review_calibration;
alter table review drop constraint if exists review_calibration_selection;
alter table review add constraint review_calibration_selection
  check (calibration_id is null or selection = 'calibration') not valid;
alter table review validate constraint review_calibration_selection;
-- Calibration reviews and blind second reviews never reach the agent.
alter table review drop constraint if exists review_released_selection;
alter table review add constraint review_released_selection
  check (selection in ('drawn', 'picked') or released_at is null) not valid;
alter table review validate constraint review_released_selection;

-- A participant reviews a call of a session once. Also the reviews of a session, and the foreign key.
create unique index concurrently if not exists review_one_in_calibration on review (workspace_id, calibration_id, call_id, reviewer_id)
  where calibration_id is not null and state <> 'voided';
-- GET /agreement: blind second reviews of a scorecard, newest first.
create index concurrently if not exists review_second on review (workspace_id, scorecard_id, submitted_at, id)
  where selection = 'second' and state = 'submitted';
-- GET /scores/reviewers: blind second reviews of the calls of a period.
create index concurrently if not exists review_second_by_call on review (workspace_id, call_id, id)
  where selection = 'second' and state = 'submitted';

-- GET /reviews?state=submitted and the badge: what waits for release. Other selections are never released.
drop index concurrently if exists review_to_release;
create index concurrently if not exists review_to_release on review (workspace_id, id)
  where state = 'submitted' and selection in ('drawn', 'picked');
-- GET /calls?outcome=… and ?reviewer_id=…: calls in the order of their ids, which is that of their times. Other selections do not
-- count as reviews of a call.
drop index concurrently if exists review_call_by_outcome;
create index concurrently if not exists review_call_by_outcome on review (workspace_id, outcome, call_id)
  where state in ('submitted', 'released') and selection in ('drawn', 'picked');
drop index concurrently if exists review_call_by_reviewer;
create index concurrently if not exists review_call_by_reviewer on review (workspace_id, reviewer_id, call_id)
  where state in ('submitted', 'released') and selection in ('drawn', 'picked');
