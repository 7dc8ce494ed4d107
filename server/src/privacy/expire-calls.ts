import { z } from "zod";
import { type Actor, system } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { newIdByTime } from "../platform/ids-by-time.ts";
import { defineJob } from "../platform/queue.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";
import type { Concern } from "./concerned-calls.ts";
import { type Erasure, requestedBy } from "./erasure.ts";
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

/** Erases what is older than its campaign keeps calls. Gives the campaigns in which it found something. */
export async function expireCalls(app: App, options: ExpireOptions = {}): Promise<Expired[]> {
  const expired: Expired[] = [];
  const workspaces = options.workspace ? [options.workspace] : (await listWorkspaces(app.db)).map(({ id }) => id);
  const failures: unknown[] = [];
  for (const workspaceId of workspaces) {
    for (const concern of await expiringIn(app, workspaceId)) {
      // One that fails does not keep the others from it.
      const found = await expireOne(app, concern, options).catch((error) => {
        options.signal?.throwIfAborted();
        failures.push(error);
      });
      if (found) expired.push(found);
    }
  }
  if (failures.length > 0) throw failures[0];
  return expired;
}

async function expiringIn(app: App, workspaceId: string): Promise<Concern[]> {
  const campaigns = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("campaign")
      .select(["id", "retentionDays"])
      .where("workspaceId", "=", workspaceId)
      .where((eb) =>
        eb.or([
          eb("retentionDays", "is not", null),
          // A run that was stopped before the campaign came to keep its calls is ended.
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
  const nothing = { callId: null, agentId: null, metadataKey: null, metadataValue: null };
  return campaigns.map(({ id: campaignId, retentionDays }) => {
    const before = retentionDays === null ? new Date(0) : new Date(Date.now() - retentionDays * 24 * 3600_000);
    return { workspaceId, kind: "retention", ...nothing, campaignId, before };
  });
}

async function expireOne(app: App, concern: Concern, options: ExpireOptions): Promise<Expired | undefined> {
  const { workspaceId, campaignId } = concern;
  const { actor = system, dryRun, signal } = options;
  const { calls, held, erasure } = await inWorkspace(app, workspaceId, async (tx) => {
    const preview = await previewErasure(tx, concern);
    return { ...preview, erasure: dryRun ? undefined : await openRetention(tx, concern, actor, preview.calls > 0) };
  });
  if (calls === 0 && !erasure) return undefined;
  if (erasure) await runErasure(app, erasure, { actor, signal });
  return { workspaceId, campaignId: campaignId ?? "", calls: calls - held, held };
}

/** The one that was stopped on its way or, if there is something to do, a new one. */
async function openRetention(tx: Db, concern: Concern, actor: Actor, needed: boolean): Promise<Erasure | undefined> {
  const standing = await tx
    .selectFrom("erasure")
    .selectAll()
    .where("workspaceId", "=", concern.workspaceId)
    .where("kind", "=", "retention")
    .where("campaignId", "=", concern.campaignId)
    .where("state", "!=", "done")
    .executeTakeFirst();
  if (standing || !needed) return standing;
  // Somebody else may have begun the same: then it is theirs.
  return tx
    .insertInto("erasure")
    .values({ ...concern, id: newIdByTime(), state: "running", ...requestedBy(actor) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Of campaigns that say so, every day. */
export const expire = defineJob({
  name: "calls.expire",
  schedule: "11 1 * * *",
  payload: z.object({}).nullish(),
  async run(app, _, signal) {
    const expired = await expireCalls(app, { signal });
    if (expired.length === 0) return;
    const calls = expired.reduce((sum, one) => sum + one.calls, 0);
    app.log.info({ campaigns: expired.length, calls }, "calls erased for their age");
  },
});
