import { z } from "zod";
import { type Actor, system } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { defineJob } from "../platform/queue/queue.ts";
import { newUuidV7 } from "../platform/uuid-v7.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";
import { type ErasureScope, nextIds } from "./calls-in-scope.ts";
import { type Erasure, findErasure, requestedBy } from "./erasure.ts";
import { previewErasure } from "./preview-erasure.ts";
import { runErasure } from "./run-erasure.ts";

export interface Expired {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly calls: number;
  readonly held: number;
}

export interface ExpireOptions {
  readonly dryRun?: boolean | undefined;
  readonly workspace?: string | undefined;
  readonly actor?: Actor;
  readonly signal?: AbortSignal | undefined;
}

/** Erases calls older than their campaign's retention. Returns the campaigns that had any. */
export async function expireCalls(app: App, options: ExpireOptions = {}): Promise<Expired[]> {
  const expired: Expired[] = [];
  const workspaces = options.workspace ? [options.workspace] : (await listWorkspaces(app.db)).map(({ id }) => id);
  const failures: unknown[] = [];
  for (const workspaceId of workspaces) {
    for (const scope of await retentionScopes(app, workspaceId)) {
      // Continue with the other campaigns; the first error is thrown at the end.
      const found = await expireCampaign(app, scope, options).catch((error) => {
        options.signal?.throwIfAborted();
        failures.push(error);
      });
      if (found) expired.push(found);
    }
  }
  if (failures.length > 0) throw failures[0];
  return expired;
}

async function retentionScopes(app: App, workspaceId: string): Promise<ErasureScope[]> {
  const campaigns = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("campaign")
      .select(["id", "retentionDays"])
      .where("workspaceId", "=", workspaceId)
      .where((eb) =>
        eb.or([
          eb("retentionDays", "is not", null),
          // Also campaigns that now keep calls forever, to finish an interrupted run.
          eb.exists(
            eb
              .selectFrom("erasure")
              .select("erasure.id")
              .where("erasure.workspaceId", "=", workspaceId)
              .whereRef("erasure.campaignId", "=", "campaign.id")
              .where("erasure.kind", "=", "retention")
              .where("erasure.state", "!=", "done"),
          ),
        ]),
      )
      .orderBy("id")
      .execute(),
  );
  const noSubject = { callId: null, agentId: null, metadataKey: null, metadataValue: null };
  return campaigns.map(({ id: campaignId, retentionDays }) => {
    const before = retentionDays === null ? new Date(0) : new Date(Date.now() - retentionDays * 24 * 3600_000);
    return { workspaceId, kind: "retention", ...noSubject, campaignId, before };
  });
}

async function expireCampaign(app: App, scope: ErasureScope, options: ExpireOptions): Promise<Expired | undefined> {
  const { workspaceId } = scope;
  const { actor = system, dryRun, signal } = options;
  const campaignId = scope.campaignId ?? "";
  if (dryRun) {
    const { calls, held } = await previewErasure(app, scope, { signal });
    return calls === 0 ? undefined : { workspaceId, campaignId, calls: calls - held, held };
  }
  // Does not count first; checking for one call is enough.
  const erasure = await inWorkspace(app, workspaceId, async (tx) => {
    const [oldest] = await nextIds(tx, scope, lowestUuid, 1);
    return openRetention(tx, scope, actor, oldest !== undefined);
  });
  if (!erasure) return undefined;
  await runErasure(app, erasure, { actor, signal });
  const { erased, held } = await inWorkspace(app, workspaceId, (tx) => findErasure(tx, workspaceId, erasure.id));
  return { workspaceId, campaignId, calls: erased, held };
}

/** Returns the unfinished erasure of the campaign or, if there are calls to erase, a new one. */
async function openRetention(tx: Db, scope: ErasureScope, actor: Actor, needed: boolean): Promise<Erasure | undefined> {
  const unfinished = await tx
    .selectFrom("erasure")
    .selectAll()
    .where("workspaceId", "=", scope.workspaceId)
    .where("kind", "=", "retention")
    .where("campaignId", "=", scope.campaignId)
    .where("state", "!=", "done")
    .executeTakeFirst();
  if (unfinished || !needed) return unfinished;
  // A concurrent run may have created it; that run continues it then.
  return tx
    .insertInto("erasure")
    .values({ ...scope, id: newUuidV7(), state: "running", ...requestedBy(actor) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Daily job that applies the retention of all campaigns. */
export const expire = defineJob({
  name: "calls.expire",
  schedule: "11 1 * * *",
  payload: z.object({}).nullish(),
  async run(app, _, signal) {
    const expired = await expireCalls(app, { signal });
    if (expired.length === 0) return;
    const calls = expired.reduce((sum, campaign) => sum + campaign.calls, 0);
    app.log.info({ campaigns: expired.length, calls }, "erased expired calls");
  },
});
