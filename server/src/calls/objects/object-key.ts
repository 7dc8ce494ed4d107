import { randomUUID } from "node:crypto";

/** Objects of calls have keys of the form `KIND/WORKSPACE/DAY/UUID`. The erasure ledger uses another prefix. */
export const objectKinds = ["recordings", "playback", "drawings", "transcripts"] as const;

export function newObjectKey(kind: (typeof objectKinds)[number], workspaceId: string): string {
  const day = new Date().toISOString().slice(0, 10);
  return `${kind}/${workspaceId}/${day}/${randomUUID()}`;
}
