import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { keysetPages } from "../platform/database/pages.ts";
import type { Erasure } from "./erasure.ts";

export const certificateProblems = {
  entry_missing: "refers to an audit entry that does not exist or belongs to something else",
  hash_differs: "does not match the hash of its audit entry",
  digest_differs: "does not match the digest in its audit entry",
  counts_differ: "does not match the counts in its audit entry",
} as const;
export type CertificateProblem = keyof typeof certificateProblems;

export interface WrongCertificate {
  readonly erasureId: string;
  readonly problem: CertificateProblem;
}

interface Entry {
  readonly hash: Buffer;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function findEntry(tx: Db, { workspaceId, auditNumber }: Erasure): Promise<Entry | undefined> {
  const entry = await tx
    .selectFrom("auditEntry")
    .select(["hash", "subjectType", "subjectId", "data"])
    .where("workspaceId", "=", workspaceId)
    .where("number", "=", auditNumber ?? -1)
    .executeTakeFirst();
  return entry && { ...entry, data: entry.data as Entry["data"] };
}

/** The entry belongs to this erasure, or to the call that it erased immediately. */
const isAbout = ({ subjectType, subjectId, data }: Entry, { id }: Erasure) =>
  subjectType === "erasure" ? subjectId === id : data.erasure_id === id;

/** Returns the digest in the audit entry. Undefined for entries of older releases. */
export async function recordedDigest(tx: Db, erasure: Erasure): Promise<string | undefined> {
  const entry = await findEntry(tx, erasure);
  const digest = entry && isAbout(entry, erasure) ? entry.data.ids_digest : undefined;
  return typeof digest === "string" ? digest : undefined;
}

const pageSize = 500;

/** Compares the certificates of a workspace with the audit log, which must be verified first. Returns up to 100 mismatches. */
export async function verifyCertificates(app: App, workspaceId: string): Promise<WrongCertificate[]> {
  const wrong: WrongCertificate[] = [];
  const verifyPage = (after: string, limit: number) =>
    inWorkspace(app, workspaceId, async (tx) => {
      const erasures = await tx
        .selectFrom("erasure")
        .selectAll()
        .where("workspaceId", "=", workspaceId)
        .where("id", ">", after)
        .orderBy("id")
        .limit(limit)
        .execute();
      for (const erasure of erasures.filter(({ auditNumber, state }) => state === "done" && auditNumber !== null)) {
        const problem = problemOf(erasure, await findEntry(tx, erasure));
        if (problem) wrong.push({ erasureId: erasure.id, problem });
      }
      return erasures;
    });
  for await (const _ of keysetPages({ read: verifyPage, keyOf: ({ id }) => id, pageSize })) {
    if (wrong.length >= 100) break;
  }
  return wrong;
}

function problemOf(erasure: Erasure, entry: Entry | undefined): CertificateProblem | undefined {
  if (!entry || !isAbout(entry, erasure)) return "entry_missing";
  if (!erasure.auditHash?.equals(entry.hash)) return "hash_differs";
  const { ids_digest: digest, erased, held } = entry.data;
  if (digest !== undefined && digest !== erasure.idsDigest.toString("hex")) return "digest_differs";
  if (erased !== undefined && (erased !== erasure.erased || held !== erasure.held)) return "counts_differ";
  return undefined;
}
