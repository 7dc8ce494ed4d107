import type { CallItem } from "@hearback/contract";
import { toCallBody } from "./call-body.ts";
import { agentChannelOf } from "./call-detail.ts";
import type { ListedCall } from "./find-calls.ts";
import type { Warning } from "./measured-audio.ts";

const toReview = ({ reviewId, reviewState, reviewScore, reviewOutcome }: ListedCall): CallItem["review"] =>
  reviewId === null
    ? null
    : {
        id: reviewId,
        state: reviewState as "submitted" | "released",
        score: reviewScore,
        outcome: reviewOutcome as "passed" | "failed" | "not_scored",
      };

export function toCallItem(call: ListedCall): CallItem {
  const { duplicate: _, ...body } = toCallBody(call, { duplicate: false, warnings: call.warnings as Warning[] });
  return { ...body, agent_channel: agentChannelOf(call), review: toReview(call) };
}
