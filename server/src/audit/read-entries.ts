import { type RawBuilder, sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { StoredEntry } from "./entry-hash.ts";

/**
 * The columns of a StoredEntry. Uses built-in PostgreSQL functions only: verification must not depend on our SQL functions,
 * which an attacker may have replaced. Out-of-range times become 0, which fails verification.
 */
export const entryColumns: RawBuilder<unknown> = sql`
  number, case when at between '2000-01-01Z' and '9999-01-01Z' then (extract(epoch from at) * 1000000)::bigint else 0 end
  as at_micros, actor_type, actor_id, action, subject_type, subject_id, data::text as data, hash`;

export interface Head {
  readonly number: number;
  readonly hash: Buffer;
}

export interface ChainPage {
  readonly entries: readonly StoredEntry[];
  /** The head of the log when these entries were read; undefined: the log is empty. */
  readonly head: Head | undefined;
}

/** Reads the next entries and the head in one statement, so that they are consistent. */
export async function readChain(
  tx: Db,
  workspaceId: string,
  { after, limit }: { after: number; limit: number },
): Promise<ChainPage> {
  const { rows } = await sql<StoredEntry & { headNumber: number | null; headHash: Buffer | null }>`
    select entry.*, head.number as head_number, head.hash as head_hash
    from (values (1)) as one
    left join audit_head as head on head.workspace_id = ${workspaceId}
    left join lateral (
      select ${entryColumns} from audit_entry where workspace_id = ${workspaceId} and number > ${after}
      order by number limit ${limit}
    ) as entry on true
    order by entry.number`.execute(tx);
  const [first] = rows;
  const { headNumber = null, headHash = null } = first ?? {};
  return {
    entries: first?.number == null ? [] : rows,
    head: headNumber !== null && headHash ? { number: headNumber, hash: headHash } : undefined,
  };
}

/** The number and hash of the last entry of a workspace's log. */
export async function findHead(tx: Db, workspaceId: string): Promise<Head | undefined> {
  return tx
    .selectFrom("auditHead")
    .select(["number", "hash"])
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
}
