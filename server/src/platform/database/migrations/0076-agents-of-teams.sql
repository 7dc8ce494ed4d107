-- migrate: no transaction

-- GET /scores/agents: the agents of a team in the order of their ids, and what their scores are shrunk to. With all columns that it
-- reads: the rows of an agent are scattered over the table.
create index concurrently if not exists agent_score_sum_of_team on agent_score_sum (workspace_id, team_id, agent_id, day)
  include (scorecard_id, campaign_id, selection, scored, score_total, score_squares);
drop index concurrently if exists agent_score_sum_by_team;
