import type pg from "pg";

const measures = `count(*) filter (where score is not null) as scored, count(*) filter (where score is null) as unscored,
  count(*) filter (where passed) as passed, count(*) filter (where failed) as failed,
  count(*) filter (where failed_call) as failed_call, coalesce(sum(score), 0) as score_total,
  coalesce(sum(score::bigint * score), 0) as score_squares, sum(disputes) as disputes, sum(disputes_changed) as disputes_changed,
  sum(release_seconds) as release_seconds, count(acknowledgement_seconds) as acknowledged,
  coalesce(sum(acknowledgement_seconds), 0) as acknowledgement_seconds`;

/** Released reviews with the columns of the keys, in plain SQL over the stored results. Independent of the service's code. */
const reviews = `counted as (
  select r.workspace_id, r.agent_id, r.scorecard_id, r.version, coalesce(r.team_id, '00000000-0000-0000-0000-000000000000') as team_id,
    r.campaign_id, r.selection, result, at.called, (to_timestamp(at.called) at time zone 'UTC')::date as day,
    floor(extract(epoch from released_at))::bigint as released, floor(extract(epoch from acknowledged_at))::bigint as acknowledged,
    (select count(*) from dispute d where d.review_id = r.id) as disputes,
    (select count(*) from dispute d where d.review_id = r.id and d.resolved_revision is not null) as disputes_changed
  from review r
  join lateral (select v.result from review_revision v where v.review_id = r.id order by number desc limit 1) as latest on true
  cross join lateral (select ('x' || lpad(left(replace(r.call_id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000 as called) as at
  where r.state = 'released'),
whole as (
  select counted.*, (result ->> 'score')::int as score, result ->> 'outcome' = 'passed' as passed, result ->> 'outcome' = 'failed' as failed,
    result @? '$.failed_by[*] ? (@.scope == "call")' as failed_call, greatest(0, released - called) as release_seconds,
    acknowledged - released as acknowledgement_seconds
  from counted)`;

const statement = `with ${reviews},
parts as (
  select workspace_id, day, scorecard_id, version, team_id, campaign_id, selection, 'review' as part, '' as item_id, score, passed, failed,
    failed_call, disputes, disputes_changed, release_seconds, acknowledgement_seconds from whole
  union all
  select workspace_id, day, scorecard_id, version, team_id, campaign_id, selection, 'section', s ->> 'section', (s ->> 'score')::int,
    (s ->> 'score')::int = 10000, (s ->> 'score')::int = 0, (s ->> 'failed')::boolean, 0, 0, 0, null
  from whole, jsonb_array_elements(result -> 'sections') as s
  union all
  select workspace_id, day, scorecard_id, version, team_id, campaign_id, selection, 'question', q ->> 'question',
    round((q ->> 'points')::numeric * 10000 / nullif((q ->> 'maximum')::int, 0))::int, q -> 'points' = q -> 'maximum', q -> 'points' = '0',
    exists (select from jsonb_array_elements(result -> 'failed_by') as f where f ->> 'question' = q ->> 'question' and f ->> 'scope' = 'call'),
    0, 0, 0, null
  from whole, jsonb_array_elements(result -> 'questions') as q where q ->> 'cause' is distinct from 'unscored')
select 'all' as kind, to_jsonb(sums) as row from (
  select workspace_id, null::uuid as agent_id, day, scorecard_id, version, team_id, campaign_id, selection, part, item_id, ${measures}
  from parts group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) as sums
union all select 'agent', to_jsonb(sums) from (
  select workspace_id, agent_id, day, scorecard_id, version, team_id, campaign_id, selection, ${measures}
  from whole group by 1, 2, 3, 4, 5, 6, 7, 8) as sums`;

const stored = `
select 'all' as kind, to_jsonb(s) || '{"agent_id": null}' as row from (
  select workspace_id, day, scorecard_id, version, team_id, campaign_id, selection, part, item_id, sum(sign * scored) as scored,
    sum(sign * unscored) as unscored, sum(sign * passed) as passed, sum(sign * failed) as failed, sum(sign * failed_call) as failed_call,
    sum(sign * score_total) as score_total, sum(sign * score_squares) as score_squares, sum(sign * disputes) as disputes,
    sum(sign * disputes_changed) as disputes_changed, sum(sign * release_seconds) as release_seconds,
    sum(sign * acknowledged) as acknowledged, sum(sign * acknowledgement_seconds) as acknowledgement_seconds
  from (select 1 as sign, * from score_sum union all select -1, * from deleted_score_sum) as both_tables
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9) as s where scored <> 0 or unscored <> 0
union all select 'agent', to_jsonb(a) from agent_score_sum as a where scored <> 0 or unscored <> 0`;

/** Sums recomputed by SQL that differ from the stored ones, and stored ones that differ from those recomputed. */
export async function findSumDifferences(admin: pg.Pool): Promise<unknown[]> {
  const { rows } = await admin.query(
    `with expected as (${statement}), actual as (${stored})
     (select 'missing' as problem, * from expected except all select 'missing', * from actual)
     union all (select 'unexpected', * from actual except all select 'unexpected', * from expected)`,
  );
  return rows;
}
