import type { CallBody, Metadata } from "@hearback/contract";
import type { Cell } from "../platform/export/csv.ts";
import type { Sheet } from "../platform/export/write-rows.ts";
import { type CallFacts, toCallBody } from "./call-body.ts";
import type { StoredCall } from "./find-call.ts";

export type ExportedCall = CallFacts & Pick<StoredCall, "warnings">;

type Body = Omit<CallBody, "duplicate">;

const columns: Readonly<Record<string, (body: Body) => Cell>> = {
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
  metadata: ({ metadata }) => JSON.stringify(metadata),
};

/** How calls stand in a file, with a column for each of these keys of metadata. */
export function callSheet(metadataColumns: readonly string[]): Sheet<ExportedCall> {
  const cells = Object.values(columns);
  return {
    columns: [...Object.keys(columns), ...metadataColumns.map((key) => `metadata.${key}`)],
    toCells(call) {
      const body = toBody(call);
      return [...cells.map((cell) => cell(body)), ...metadataColumns.map((key) => valuesOf(body.metadata, key))];
    },
    toBody,
  };
}

function toBody(call: ExportedCall): Body {
  const { duplicate: _, ...body } = toCallBody(call, {
    duplicate: false,
    warnings: call.warnings as CallBody["warnings"],
  });
  return body;
}

/** Of a key that was sent more than once, one value on each line. */
function valuesOf(metadata: Metadata, key: string): Cell {
  const values = metadata.filter((entry) => entry.key === key).map(({ value }) => value);
  return values.length > 0 ? values.join("\n") : null;
}
