import { sql } from "kysely";
import { record } from "../audit/record.ts";
import type { Actor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { type ExportOptions, type Page, writeRows } from "../platform/export/write-rows.ts";
import { callSheet, type ExportedCall } from "./call-sheet.ts";

export interface CallFilter {
  /** Only calls of these campaigns; absent: all. */
  readonly campaigns?: readonly string[] | undefined;
  /** When the conversation took place: from this moment on, and before that one. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface ExportCallsInput extends ExportOptions {
  readonly filter: CallFilter;
  /** The filters as they were given: their names, never what was asked for. */
  readonly filterNames: readonly string[];
  readonly metadataColumns: readonly string[];
}

/** Calls as a file, newest conversation first. Each page is a transaction of its own: a long one would hold back events. */
export async function exportCalls(
  app: App,
  { workspaceId, actor }: { workspaceId: string; actor: Actor },
  { filter, filterNames, metadataColumns, ...options }: ExportCallsInput,
): Promise<AsyncGenerator<string>> {
  await inWorkspace(app, workspaceId, (tx) =>
    record(tx, workspaceId, {
      actor,
      action: "calls.exported",
      subject: { type: "workspace", id: workspaceId },
      data: { format: options.format, filters: filterNames },
    }),
  );
  return writeRows<ExportedCall, string>(callSheet(metadataColumns), options, (before, limit) =>
    inWorkspace(app, workspaceId, (tx) => readCalls(tx, workspaceId, filter, { before, limit })),
  );
}

/** What is written of a call: reading no more keeps a long export light. */
const columns = sql.raw(
  `id, campaign_id, agent_id, happened_at, metadata, status, failure_code, failure_detail, recording_bytes, sha256,
   format, codec, channels, sample_rate, duration_ms, created_at, warnings`,
);

/** The calls that the filters choose, and where to go on. */
async function readCalls(
  tx: Db,
  workspaceId: string,
  { campaigns, from, to }: CallFilter,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Page<ExportedCall, string>> {
  const conditions = [
    sql`call.workspace_id = ${workspaceId}`,
    ...(before ? [sql`call.id < ${before}`] : []),
    ...(from ? [sql`call.id >= first_call_id(${from})`] : []),
    ...(to ? [sql`call.id < first_call_id(${to})`] : []),
  ];
  const all = sql`select ${columns} from call where ${sql.join(conditions, sql` and `)}`;
  // Each campaign by its own index, which has its calls in order.
  const found = campaigns
    ? sql`select of_one.* from unnest(${[...campaigns]}::text[]) as one (id) cross join lateral (
        ${all} and call.campaign_id = one.id order by id desc limit ${limit}) as of_one`
    : all;
  const { rows } = await sql<ExportedCall>`
    select call.*, app_user.email as agent_email, app_user.name as agent_name
    from (${found} order by id desc limit ${limit}) as call
    join app_user on app_user.workspace_id = ${workspaceId} and app_user.id = call.agent_id
    order by call.id desc`.execute(tx);
  return { rows, next: rows.length === limit ? rows.at(-1)?.id : undefined };
}
