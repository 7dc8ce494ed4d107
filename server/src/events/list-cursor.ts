import { hkdfSync } from "node:crypto";
import { decryptAesGcm, encryptAesGcm } from "../platform/aes-gcm.ts";
import type { Db } from "../platform/database/database.ts";
import { invalidCursor } from "../platform/invalid-cursor.ts";

/** Where a page ends: the values that the list is sorted by, of its last row, as text. */
export type ListPosition = readonly string[];

export interface ListCursor {
  write(position: ListPosition | null): string | null;
  /** Throws an error for the caller if the cursor is not of this list. */
  read(cursor: string | undefined): ListPosition | undefined;
}

/**
 * Cursors of a list that is sorted by more than the id of its rows. A cursor contains the sort key itself: the row may have
 * been deleted or changed since. Encrypted, because a sort key can be an email address, and URLs are logged by proxies.
 */
export async function openListCursor(tx: Db, workspaceId: string, list: string): Promise<ListCursor> {
  // Derived from the key of the event ids: every workspace has one, and it is as secret.
  const { key: secret } = await tx
    .selectFrom("eventIdKey")
    .select("key")
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirstOrThrow();
  const key = Buffer.from(hkdfSync("sha256", secret, "", "hearback list cursor", 32));
  return {
    write: (position) => position && encryptAesGcm(key, JSON.stringify(position), list).toString("base64url"),
    read(cursor) {
      if (cursor === undefined) return undefined;
      const plain = decryptAesGcm(key, Buffer.from(cursor, "base64url"), list);
      if (!plain) throw invalidCursor();
      return JSON.parse(plain.toString());
    },
  };
}
