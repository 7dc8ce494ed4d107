import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Stack } from "../stack/stack.ts";
import { openStore } from "../stack/store.ts";

export interface TranscriptToStore {
  readonly workspaceId: string;
  readonly callId: string;
  /** What the left side says. */
  readonly said: string;
}

/** Stores a transcript as the worker does, without an engine. Returns its id. */
export async function storeTranscript(
  stack: Stack,
  { workspaceId, callId, said }: TranscriptToStore,
): Promise<{ id: string; key: string }> {
  const id = randomUUID();
  const key = `transcripts/${workspaceId}/${new Date().toISOString().slice(0, 10)}/${randomUUID()}`;
  const words = said.split(" ").map((text, index) => [text, index * 500, index * 500 + 400, 0.9]);
  const bytes = gzipSync(JSON.stringify({ turns: [{ channel: "left", words }] }));
  // Not closed: that would delete the folder.
  await openStore(stack).overwrite(key, bytes);
  await stack.adminDb.query(
    `insert into transcript (workspace_id, call_id, id, object_key, object_bytes, language, engine, model, version, words)
      values ($1, $2, $3, $4, $5, 'en', 'local', 'test', 1, $6)`,
    [workspaceId, callId, id, key, bytes.length, JSON.stringify({ left: words.length })],
  );
  return { id, key };
}

/** Rows of a transcription that has begun, of a correction, and of the usage. */
export async function storeTranscriptionRows(
  stack: Stack,
  {
    workspaceId,
    callId,
    transcriptId,
    authorId,
  }: Record<"workspaceId" | "callId" | "transcriptId" | "authorId", string>,
): Promise<void> {
  const rows = [
    [
      "transcript_correction (workspace_id, call_id, transcript_id, turn, word, number, text, author_type, author_id) values ($1, $2, $3, 0, 0, 1, 'Good', 'user', $4)",
      [workspaceId, callId, transcriptId, authorId],
    ],
    ["transcript_run (workspace_id, call_id, key_object) values ($1, $2, 'transcripts/key')", [workspaceId, callId]],
    [
      "transcript_stretch (workspace_id, call_id, number, encrypted_words) values ($1, $2, 0, 'abc')",
      [workspaceId, callId],
    ],
    [
      "transcription_usage (workspace_id, day, calls, speech_ms) values ($1, now(), 1, 60000) on conflict do nothing",
      [workspaceId],
    ],
  ] as const;
  for (const [row, values] of rows) await stack.adminDb.query(`insert into ${row}`, [...values]);
}
