set local lock_timeout = '2s';

-- Integer sums over released reviews, without the agent. Changed in the transaction that changes a review, so that a dashboard reads
-- sums instead of reviews, and means, variances and rates are exact. No checks of the sign: a difference is inserted as a row.
create table score_sum (
  workspace_id uuid not null references workspace,
  -- The UTC day of the conversation: the first 48 bits of the call's id are its time, so the day outlives the call.
  day date not null,
  scorecard_id uuid not null,
  version integer not null,
  -- The nil UUID: no team.
  team_id uuid not null,
  campaign_id text not null,
  selection text not null check (selection in ('drawn', 'picked', 'calibration', 'second')),
  -- The whole review, a section or a question.
  part text not null check (part in ('review', 'section', 'question')),
  -- Id of the section or question. Empty: the whole review.
  item_id text not null,
  -- Reviews, sections or answers with and without a score.
  scored bigint not null default 0,
  unscored bigint not null default 0,
  -- Review: by outcome. Section and question: all points, no points.
  passed bigint not null default 0,
  failed bigint not null default 0,
  -- An answer failed the call; for a section: failed the section; for a question: this answer failed the call.
  failed_call bigint not null default 0,
  -- Of the score in hundredths; for a question of its share of points in hundredths of a percent.
  score_total bigint not null default 0,
  score_squares bigint not null default 0,
  -- The rest is counted for the whole review only.
  disputes bigint not null default 0,
  disputes_changed bigint not null default 0,
  -- From the call to the release, and from the release to the acknowledgement.
  release_seconds bigint not null default 0,
  acknowledged bigint not null default 0,
  acknowledgement_seconds bigint not null default 0,
  -- GET /scores/overview: the days of a period.
  primary key (workspace_id, day, scorecard_id, version, team_id, campaign_id, selection, part, item_id)
);

-- What deleted reviews contributed to score_sum. Their sums stay; with this table they can still be verified.
create table deleted_score_sum (like score_sum including all);
alter table deleted_score_sum add foreign key (workspace_id) references workspace;

-- The same for each agent, of whole reviews only: an agent rarely has two reviews on one day, so sums per question would be as many as
-- the answers themselves. For the same reason, team and campaign add no rows.
create table agent_score_sum (
  workspace_id uuid not null references workspace,
  agent_id uuid not null,
  day date not null,
  scorecard_id uuid not null,
  version integer not null,
  team_id uuid not null,
  campaign_id text not null,
  selection text not null check (selection in ('drawn', 'picked', 'calibration', 'second')),
  scored bigint not null default 0,
  unscored bigint not null default 0,
  passed bigint not null default 0,
  failed bigint not null default 0,
  failed_call bigint not null default 0,
  score_total bigint not null default 0,
  score_squares bigint not null default 0,
  disputes bigint not null default 0,
  disputes_changed bigint not null default 0,
  release_seconds bigint not null default 0,
  acknowledged bigint not null default 0,
  acknowledgement_seconds bigint not null default 0,
  -- GET /scores/agents and /scores/mine: the days of an agent.
  primary key (workspace_id, agent_id, day, scorecard_id, version, team_id, campaign_id, selection)
);
-- GET /scores/agents: the agents of a team, to whose mean an agent's mean is shrunk.
create index agent_score_sum_by_team on agent_score_sum (workspace_id, team_id, day);
-- hearback-server scores verify: the rows of a day.
create index agent_score_sum_by_day on agent_score_sum (workspace_id, day);

-- Workspaces with reviews from before the sums existed. The worker counts them day by day, then deletes the row.
create table score_backfill (
  workspace_id uuid primary key references workspace,
  -- Counted up to and including this day.
  counted_to date
);
insert into score_backfill (workspace_id) select id from workspace where erased_at is null;

do $$
declare guarded text;
begin
  foreach guarded in array array['score_sum', 'deleted_score_sum', 'agent_score_sum', 'score_backfill'] loop
    execute format('alter table %I enable row level security', guarded);
    execute format('alter table %I force row level security', guarded);
    execute format('create policy own_workspace on %I using (workspace_id = current_workspace())', guarded);
  end loop;
end $$;

grant select, insert, update on score_sum, deleted_score_sum to hearback_service;
-- The rows of an agent are deleted with their reviews.
grant select, insert, update, delete on agent_score_sum to hearback_service;
grant select, update, delete on score_backfill to hearback_service;
