import { newObjectKey } from "../calls/objects/object-key.ts";
import { newUuidV7 } from "../platform/uuid-v7.ts";
import { encodeTranscript } from "../transcripts/store/transcript-object.ts";
import type { TranscriptTurn, TranscriptWord } from "../transcripts/transcript.ts";
import type { TestApp } from "./test-app.ts";

/** Words of half a second. A word in brackets, such as `[card_number]`, is masked. */
export function aTurn(channel: TranscriptTurn["channel"], from: number, said: string): TranscriptTurn {
  const words = said.split(" ").map((text, index): TranscriptWord => {
    const startMs = from + index * 500;
    const mask = /^\[(\w+)\]$/.exec(text)?.[1];
    const word = { text: mask ? "" : text, startMs, endMs: startMs + 400, probability: mask ? null : 0.9 };
    return mask ? { ...word, mask: mask as NonNullable<TranscriptWord["mask"]> } : word;
  });
  return { channel, startMs: from, endMs: from + words.length * 500 - 100, words };
}

export interface StoredTestTranscript {
  readonly id: string;
  readonly objectKey: string;
}

/** Makes a call ready and gives it a transcript, as the worker does. */
export async function storeTestTranscript(
  { app, admin, caller: { workspaceId } }: Pick<TestApp, "app" | "admin" | "caller">,
  callId: string,
  turns: readonly TranscriptTurn[],
  { muted = null }: { muted?: readonly (readonly [number, number])[] | null } = {},
): Promise<StoredTestTranscript> {
  const id = newUuidV7();
  const objectKey = newObjectKey("transcripts", workspaceId);
  const bytes = await encodeTranscript(turns);
  const upload = app.storage.create(objectKey, workspaceId);
  await upload.write(bytes);
  await upload.finish();
  const counts: Record<string, number> = {};
  for (const { channel, words } of turns) counts[channel] = (counts[channel] ?? 0) + words.length;
  const masked = turns.flatMap(({ words }) => words.flatMap(({ mask }) => mask ?? []));
  await admin.query(
    `insert into transcript (workspace_id, call_id, id, object_key, object_bytes, language, engine, model, version, words, masked, muted)
      values ($1, $2, $3, $4, $5, 'en', 'local', 'test', 1, $6, $7, $8)
      on conflict (workspace_id, call_id) do update set id = excluded.id, object_key = excluded.object_key`,
    [
      workspaceId,
      callId,
      id,
      objectKey,
      bytes.length,
      JSON.stringify(counts),
      JSON.stringify(Object.fromEntries(masked.map((kind) => [kind, masked.filter((other) => other === kind).length]))),
      muted && JSON.stringify(muted),
    ],
  );
  await admin.query("update call set status = 'ready', duration_ms = 60000 where id = $1", [callId]);
  return { id, objectKey };
}

/** As if the operator had configured an engine. */
export const configureTranscriber = ({ app }: Pick<TestApp, "app">) =>
  Object.assign(app.config, { transcriber: { kind: "local", modelDir: "/nowhere" } });
