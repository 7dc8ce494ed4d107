import { createHash } from "node:crypto";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { keysetPages } from "../platform/database/pages.ts";
import type { ErasureRef } from "./erasure.ts";

/** SHA-256 of the sorted ids, each followed by a line feed. The same as `sort | sha256sum`. */
export function digestOf(ids: readonly string[]): Buffer {
  const hash = createHash("sha256");
  for (const id of ids.toSorted()) hash.update(`${id}\n`);
  return hash.digest();
}

export interface IdsDigest {
  readonly digest: Buffer;
  readonly count: number;
}

const pageSize = 10_000;

/** Digest of the calls that an erasure has erased so far, read in pages. */
export async function digestOfErased(app: App, { workspaceId, id }: ErasureRef): Promise<IdsDigest> {
  const hash = createHash("sha256");
  let count = 0;
  const read = (after: string, limit: number) =>
    inWorkspace(app, workspaceId, (tx) =>
      tx
        .selectFrom("erasureCall")
        .select("callId")
        .where("workspaceId", "=", workspaceId)
        .where("erasureId", "=", id)
        .where("callId", ">", after)
        .orderBy("callId")
        .limit(limit)
        .execute(),
    );
  for await (const rows of keysetPages({ read, keyOf: ({ callId }) => callId, pageSize })) {
    for (const { callId } of rows) hash.update(`${callId}\n`);
    count += rows.length;
  }
  return { digest: hash.digest(), count };
}

/** Deletes the list of erased ids once the certificate has its digest. */
export async function deleteErasedIds(app: App, { workspaceId, id }: ErasureRef): Promise<void> {
  for (;;) {
    const { length } = await inWorkspace(app, workspaceId, (tx) =>
      tx
        .deleteFrom("erasureCall")
        .where("workspaceId", "=", workspaceId)
        .where("erasureId", "=", id)
        .where("callId", "in", (eb) =>
          eb
            .selectFrom("erasureCall")
            .select("callId")
            .where("workspaceId", "=", workspaceId)
            .where("erasureId", "=", id)
            .limit(pageSize),
        )
        .returning("callId")
        .execute(),
    );
    if (length < pageSize) return;
  }
}
