import { randomUUID } from "node:crypto";
import { z } from "zod";
import { storageUnavailable } from "../platform/errors.ts";
import type { Storage } from "../platform/storage/types.ts";
import { type Erasure, type ErasureRef, requesterOf } from "./erasure.ts";

const Entry = z.object({
  version: z.literal(1),
  workspace_id: z.uuid(),
  erasure_id: z.uuid(),
  id: z.uuid(),
  kind: z.enum(["call", "agent", "metadata", "workspace"]),
  at: z.iso.datetime(),
  requested_by: z.object({ type: z.enum(["key", "user", "operator", "system"]), id: z.uuid().nullable() }),
  call_ids: z.array(z.uuid()),
  /** The erased agent: id and digest of the email address. */
  agent: z.object({ id: z.uuid(), digest: z.string() }).nullable(),
});

/** A ledger entry lists what one transaction erases, by id only. */
export type LedgerEntry = z.output<typeof Entry>;
/** The parts of an entry's object key. */
export type EntryRef = Pick<LedgerEntry, "workspace_id" | "erasure_id" | "id">;

const ledgerPrefix = "erasures/";
const keyOf = (entry: EntryRef) => `${ledgerPrefix}${entry.workspace_id}/${entry.erasure_id}/${entry.id}`;
const keyForm = /^erasures\/([0-9a-f-]{36})\/([0-9a-f-]{36})\/([0-9a-f-]{36})$/;

export interface Erased {
  readonly callIds?: readonly string[];
  readonly agent?: { readonly id: string; readonly digest: Buffer };
}

/**
 * Writes a ledger entry to the object store before the erasure, so that a database restored from an older backup can replay it.
 * Returns the entry's id, which the erasing transaction stores.
 */
export async function writeEntry(storage: Storage, erasure: Erasure, erased: Erased): Promise<string> {
  const { callIds = [], agent } = erased;
  const entry: LedgerEntry = {
    version: 1,
    workspace_id: erasure.workspaceId,
    erasure_id: erasure.id,
    id: randomUUID(),
    kind: erasure.kind as LedgerEntry["kind"],
    at: new Date().toISOString(),
    requested_by: requesterOf(erasure),
    call_ids: [...callIds],
    agent: agent ? { id: agent.id, digest: agent.digest.toString("hex") } : null,
  };
  await storeEntry(storage, entry);
  return entry.id;
}

export async function storeEntry(storage: Storage, entry: LedgerEntry): Promise<void> {
  const upload = storage.create(keyOf(entry), entry.workspace_id);
  try {
    await upload.write(Buffer.from(JSON.stringify(entry)));
    await upload.finish();
  } catch (error) {
    await upload.abort().catch(() => {});
    throw storageUnavailable(error);
  }
}

/** Lists the entries of a workspace in key order, starting at the erasure id `from` if given. */
export async function* listEntries(storage: Storage, workspaceId: string, from: string | null) {
  const prefix = `${ledgerPrefix}${workspaceId}/`;
  for await (const key of storage.list(prefix, from === null ? undefined : `${prefix}${from}`)) {
    const [, , erasureId, id] = keyForm.exec(key) ?? [];
    if (erasureId && id) yield { workspace_id: workspaceId, erasure_id: erasureId, id } satisfies EntryRef;
  }
}

/** Finds the entry of an erasure that has only one. */
export async function findEntry(storage: Storage, { workspaceId, id }: ErasureRef): Promise<string | undefined> {
  for await (const key of storage.list(`${ledgerPrefix}${workspaceId}/${id}/`)) return keyForm.exec(key)?.[3];
  return undefined;
}

export async function readEntry(storage: Storage, ref: EntryRef): Promise<LedgerEntry> {
  let text = "";
  for await (const chunk of await storage.get(keyOf(ref))) text += Buffer.from(chunk).toString("latin1");
  return Entry.parse(JSON.parse(text));
}
