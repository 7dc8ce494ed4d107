import type { CallItem, Metadata } from "@hearback/contract";
import type { Cell } from "../../platform/export/csv.ts";
import type { Sheet } from "../../platform/export/write-rows.ts";
import { toCallItem } from "../call/call-item.ts";
import type { ExportedCall } from "./exported-transcript.ts";

const columns: Readonly<Record<string, (call: CallItem) => Cell>> = {
  id: ({ id }) => id,
  status: ({ status }) => status,
  campaign_id: ({ campaign_id }) => campaign_id,
  agent_id: ({ agent }) => agent.id,
  agent_email: ({ agent }) => agent.email,
  agent_name: ({ agent }) => agent.name,
  conversation_time: ({ conversation_time }) => conversation_time,
  duration_ms: ({ recording }) => recording.duration_ms,
  format: ({ recording }) => recording.format,
  codec: ({ recording }) => recording.codec,
  channels: ({ recording }) => recording.channels,
  sample_rate: ({ recording }) => recording.sample_rate,
  bytes: ({ recording }) => recording.bytes,
  sha256: ({ recording }) => recording.sha256,
  failure_code: ({ failure }) => failure?.code ?? null,
  created_at: ({ created_at }) => created_at,
  review_score: ({ review }) => (review?.score == null ? null : (review.score / 100).toFixed(2)),
  review_outcome: ({ review }) => review?.outcome ?? null,
  metadata: ({ metadata }) => JSON.stringify(metadata),
};

/** Columns of a call export, with one extra column per given metadata key, and one for the transcript if requested. */
export function exportColumns(
  metadataColumns: readonly string[],
  { transcripts }: { readonly transcripts: boolean },
): Sheet<ExportedCall> {
  const cells = Object.values(columns);
  const said = transcripts ? ["transcript"] : [];
  return {
    columns: [...Object.keys(columns), ...metadataColumns.map((key) => `metadata.${key}`), ...said],
    toCells(call) {
      const body = toCallItem(call);
      return [
        ...cells.map((cell) => cell(body)),
        ...metadataColumns.map((key) => valuesOf(body.metadata, key)),
        ...said.map(() => call.transcript?.text ?? null),
      ];
    },
    toBody: ({ transcript, ...call }) => ({
      ...toCallItem(call),
      ...(transcripts && { transcript: transcript?.body ?? null }),
    }),
  };
}

/** Values of a repeated key are separated by line breaks. */
function valuesOf(metadata: Metadata, key: string): Cell {
  const values = metadata.filter((entry) => entry.key === key).map(({ value }) => value);
  return values.length > 0 ? values.join("\n") : null;
}
