import type { Db } from "../../platform/database/database.ts";
import { preparedStatement } from "../../platform/database/prepared-statement.ts";
import type { CallFacts } from "./call-body.ts";
import type { StoredCall } from "./find-call.ts";
import type { ReviewScope } from "./review-scope.ts";

/** The fields of a call in a list. */
export type ListedCall = CallFacts &
  Pick<StoredCall, "warnings" | "agentChannel" | "campaignAgentChannel"> & {
    /** Of the latest review that the caller may see. */
    readonly reviewId: string | null;
    readonly reviewState: string | null;
    readonly reviewScore: number | null;
    readonly reviewOutcome: string | null;
  };

/** Returns calls in the order of `ids`, without unknown ones. Lateral joins force one primary-key lookup per id. */
export async function findCalls(
  tx: Db,
  workspaceId: string,
  ids: readonly string[],
  { reviewerId, agentId, userId }: ReviewScope,
): Promise<ListedCall[]> {
  if (ids.length === 0) return [];
  return preparedStatement<ListedCall>(tx, "find-calls")`
    select call.*, agent.email as agent_email, agent.name as agent_name,
      campaign.agent_channel as campaign_agent_channel, review.id as review_id, review.state as review_state,
      review.score as review_score, review.outcome as review_outcome
    from unnest(${ids}::uuid[]) with ordinality as wanted (id, number)
    cross join lateral (
      select id, campaign_id, agent_id, happened_at, metadata, status, failure_code, failure_detail, recording_bytes, sha256,
        format, codec, channels, sample_rate, duration_ms, created_at, warnings, agent_channel
      from call where workspace_id = ${workspaceId}::uuid and id = wanted.id limit 1
    ) as call
    cross join lateral (
      select email, name from app_user where workspace_id = ${workspaceId}::uuid and id = call.agent_id limit 1
    ) as agent
    cross join lateral (
      select agent_channel from campaign where workspace_id = ${workspaceId}::uuid and id = call.campaign_id limit 1
    ) as campaign
    left join lateral (
      select id, state, score, outcome from review
      where workspace_id = ${workspaceId}::uuid and call_id = wanted.id and state in ('submitted', 'released')
        and selection in ('drawn', 'picked')
        and (${reviewerId}::uuid is null or reviewer_id = ${reviewerId}::uuid)
        and (${agentId}::uuid is null or (agent_id = ${agentId}::uuid and released_at is not null))
        and (${userId}::uuid is null or reviewer_id = ${userId}::uuid or not exists (select from assignment as own
          where own.workspace_id = ${workspaceId}::uuid and own.call_id = wanted.id and own.reviewer_id = ${userId}::uuid
            and own.state = 'open'))
      order by id desc limit 1
    ) as review on true
    order by wanted.number`;
}
