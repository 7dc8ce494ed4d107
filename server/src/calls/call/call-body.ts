import type { CallBody, callStatuses, Metadata } from "@hearback/contract";
import type { StoredCall } from "./find-call.ts";

/** The fields of a call that an import response contains, for new calls and duplicates alike. */
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

export interface CallBodyOptions {
  readonly duplicate: boolean;
  readonly warnings: CallBody["warnings"];
  readonly dryRun?: boolean;
}

/** Response body for a call that exists, as opposed to one that was erased. */
type StoredCallBody = CallBody & { status: (typeof callStatuses)[number]; created_at: string };

export function toCallBody(call: CallFacts, { duplicate, warnings, dryRun = false }: CallBodyOptions): StoredCallBody {
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

/** Response to an import of an erased call. It echoes the request; nothing is stored. */
export function toErasedCallBody(call: CallFacts, notes: CallBodyOptions): CallBody {
  const detail = "This call was erased on request. Nothing was stored. Do not send it again.";
  const warnings = [...notes.warnings, { code: "call_erased", detail }];
  return { ...toCallBody(call, { ...notes, warnings }), status: "erased", metadata: [], created_at: null };
}
