import { type RawBuilder, sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { StoredEntry } from "./audit-text.ts";

/**
 * The columns of a StoredEntry, by PostgreSQL's own means: whoever proves the log must not trust a function of ours that
 * somebody may have replaced. A time that cannot be one of ours becomes another wrong one.
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
  /** Where the log ended when these entries were read; absent: it has never had one. */
  readonly head: Head | undefined;
}

/** The next entries of the chain and its head, by one statement: they belong together. */
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

/** Where the log of a workspace ends. */
export async function findHead(tx: Db, workspaceId: string): Promise<Head | undefined> {
  return tx
    .selectFrom("auditHead")
    .select(["number", "hash"])
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
}
