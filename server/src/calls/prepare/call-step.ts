import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";

export interface CallRef {
  readonly workspaceId: string;
  readonly id: string;
}

export type StepName = "prepare" | "transcribe";

/** Why the previous attempt failed, and for how long all attempts have failed with that reason. */
export interface LastReason {
  readonly code: string | null;
  readonly forMs: number;
}

/** Marks the step as running and counts the attempt. */
export async function beginStep(tx: Db, { workspaceId, id }: CallRef, step: StepName) {
  return tx
    .insertInto("callStep")
    .values({ workspaceId, callId: id, step, state: "running", attempts: 1, startedAt: sql`now()` })
    .onConflict((conflict) =>
      conflict.columns(["workspaceId", "callId", "step"]).doUpdateSet({
        state: "running",
        attempts: sql`call_step.attempts + 1`,
        startedAt: sql`now()`,
        endedAt: null,
      }),
    )
    .returning(["reasonCode as code", "attempts"])
    .returning(sql<number>`coalesce(extract(epoch from now() - reason_since) * 1000, 0)::float8`.as("forMs"))
    .executeTakeFirstOrThrow();
}

interface StepEnd {
  readonly state: "done" | "failed";
  readonly reasonCode?: string;
  readonly reasonDetail?: string;
}

export async function endStep(tx: Db, { workspaceId, id }: CallRef, step: StepName, end: StepEnd): Promise<void> {
  const { state, reasonCode = null, reasonDetail = null } = end;
  const values = { state, reasonCode, reasonDetail, reasonSince: null, endedAt: sql<Date>`now()` };
  await tx
    .insertInto("callStep")
    .values({ workspaceId, callId: id, step, attempts: 0, startedAt: sql`now()`, ...values })
    .onConflict((conflict) => conflict.columns(["workspaceId", "callId", "step"]).doUpdateSet(values))
    .execute();
}

/** Resets the step: the call waits again, with no attempts. */
export async function resetStep(tx: Db, { workspaceId, id }: CallRef, step: StepName): Promise<void> {
  const now = sql<Date>`now()`;
  const reason = { reasonCode: null, reasonDetail: null, reasonSince: null };
  const values = { state: "running", attempts: 0, ...reason, startedAt: now, endedAt: now };
  await tx
    .insertInto("callStep")
    .values({ workspaceId, callId: id, step, ...values })
    .onConflict((conflict) => conflict.columns(["workspaceId", "callId", "step"]).doUpdateSet(values))
    .execute();
}

export interface StepReason {
  readonly code: string;
  readonly detail: string;
}

/** Stores why the attempt failed. Returns false if the step is no longer running or the call is gone. */
export async function saveReason(
  tx: Db,
  { workspaceId, id }: CallRef,
  step: StepName,
  { code, detail }: StepReason,
): Promise<boolean> {
  const updated = await tx
    .updateTable("callStep")
    .set({
      reasonCode: code,
      reasonDetail: detail,
      endedAt: sql`now()`,
      reasonSince: sql`case when reason_code = ${code} then coalesce(reason_since, now()) else now() end`,
    })
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", id)
    .where("step", "=", step)
    .where("state", "=", "running")
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** Stores why the attempt failed. Returns false if no retry is needed: the step is no longer running or the call is gone. */
export async function saveRetryReason(app: App, call: CallRef, step: StepName, reason: StepReason): Promise<boolean> {
  const saved = await inWorkspace(app, call.workspaceId, (tx) => saveReason(tx, call, step, reason)).catch((err) =>
    app.log.warn({ err, callId: call.id }, "could not store the reason for the retry"),
  );
  return saved ?? true;
}

/** The step is not wanted any longer. */
export async function removeStep(tx: Db, { workspaceId, id }: CallRef, step: StepName): Promise<void> {
  await tx
    .deleteFrom("callStep")
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", id)
    .where("step", "=", step)
    .execute();
}
