import type { CallBody, callStatuses, Metadata } from "@hearback/contract";
import type { StoredCall } from "./find-call.ts";

/** Everything of a call that its import answers, whether it was just made or found. */
export type CallFacts = Pick<
  StoredCall,
  | "id"
  | "campaignId"
  | "agentId"
  | "agentEmail"
  | "agentName"
  | "happenedAt"
  | "metadata"
  | "status"
  | "failureCode"
  | "failureDetail"
  | "recordingBytes"
  | "sha256"
  | "format"
  | "codec"
  | "channels"
  | "sampleRate"
  | "durationMs"
  | "createdAt"
>;

export interface CallNotes {
  readonly duplicate: boolean;
  readonly warnings: CallBody["warnings"];
  readonly dryRun?: boolean;
}

/** The body of a call that is there. */
type StoredCallBody = CallBody & { status: (typeof callStatuses)[number]; created_at: string };

export function toCallBody(call: CallFacts, { duplicate, warnings, dryRun = false }: CallNotes): StoredCallBody {
  return {
    id: call.id,
    status: call.status as StoredCallBody["status"],
    duplicate,
    ...(dryRun && { dry_run: true as const }),
    campaign_id: call.campaignId,
    agent: { id: call.agentId, email: call.agentEmail, name: call.agentName },
    conversation_timestamp: Math.floor(call.happenedAt.getTime() / 1000),
    conversation_time: call.happenedAt.toISOString(),
    metadata: call.metadata as Metadata,
    recording: {
      format: call.format as CallBody["recording"]["format"],
      bytes: call.recordingBytes,
      sha256: call.sha256.toString("hex"),
      codec: call.codec,
      channels: call.channels,
      sample_rate: call.sampleRate,
      duration_ms: call.durationMs,
    },
    ...(call.failureCode && { failure: { code: call.failureCode, detail: call.failureDetail ?? "" } }),
    warnings,
    created_at: call.createdAt.toISOString(),
  };
}

/** The answer to an import of a call that was erased: what was sent this time, of which nothing was stored. */
export function toErasedCallBody(call: CallFacts, notes: CallNotes): CallBody {
  const detail = "This call was erased on request. Nothing was stored; do not send it again.";
  const warnings = [...notes.warnings, { code: "call_erased", detail }];
  return { ...toCallBody(call, { ...notes, warnings }), status: "erased", metadata: [], created_at: null };
}
