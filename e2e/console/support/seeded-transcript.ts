import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { TestWorkspace } from "../../support/stack/stack.ts";
import { openStore } from "../../support/stack/store.ts";

export interface SeededWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly probability?: number;
  readonly mask?: string;
}

export interface SeededTurn {
  readonly channel: "left" | "right" | "both";
  readonly words: readonly SeededWord[];
}

/** Words of a sentence, spread over a stretch. `_card_number` is a masked part, `word~` an uncertain word. */
export function spreadWords(text: string, startMs: number, endMs: number): SeededWord[] {
  const words = text.split(" ");
  const letters = words.map((word) => word.length + 1);
  const total = letters.reduce((sum, count) => sum + count, 0);
  let before = 0;
  return words.map((word, index) => {
    const from = startMs + ((endMs - startMs) * before) / total;
    before += letters[index] ?? 0;
    const times = { startMs: Math.round(from), endMs: Math.round(startMs + ((endMs - startMs) * before) / total) - 20 };
    if (word.startsWith("_")) return { text: "", mask: word.slice(1), ...times };
    if (word.endsWith("~")) return { text: word.slice(0, -1), probability: 0.21, ...times };
    return { text: word, probability: 0.96, ...times };
  });
}

/** Stores a transcript as the worker does. */
export async function seedTranscript(
  stack: TestWorkspace,
  callId: string,
  turns: readonly SeededTurn[],
  { language = "en" } = {},
): Promise<string> {
  const stored = {
    turns: turns.map(({ channel, words }) => ({
      channel,
      words: words.map(({ text, startMs, endMs, probability = null, mask }) => [
        ...[text, startMs, endMs, probability],
        ...(mask ? [mask] : []),
      ]),
    })),
  };
  const bytes = gzipSync(JSON.stringify(stored));
  const id = randomUUID();
  const key = `transcripts/${stack.workspaceId}/${id}`;
  const store = openStore(stack);
  await store.overwrite(key, bytes);
  if (stack.engine !== "filesystem") await store.close();
  const all = turns.flatMap(({ channel, words }) => words.map(({ mask }) => ({ channel, mask })));
  const counts = (names: readonly string[]) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, names.filter((other) => other === name).length])));
  await stack.adminDb.query(
    `insert into transcript (workspace_id, call_id, id, object_key, object_bytes, language, engine, model, version, words, masked)
     values ($1, $2, $3, $4, $5, $6, 'local', 'moonshine-base-en', 1, $7, $8)`,
    [
      ...[stack.workspaceId, callId, id, key, bytes.length, language],
      counts(all.map(({ channel }) => channel)),
      counts(all.flatMap(({ mask }) => mask ?? [])),
    ],
  );
  return id;
}
