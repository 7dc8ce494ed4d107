import { randomBytes } from "node:crypto";
import { periodFrom } from "@hearback/draws/period";
import { rulesDigest } from "@hearback/draws/rules";
import { commitmentTo } from "@hearback/draws/tickets";
import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { emitEvent } from "../../events/emit-event.ts";
import { system } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { newUuidV7 } from "../../platform/uuid-v7.ts";
import { lockPlan, type PlanRow } from "../find-plan.ts";
import { sealKeys } from "./draw-keys.ts";

/** Calls that become ready before the end of a period are committed within this time. */
const settlingMs = 10 * 60_000;
const hourMs = 60 * 60_000;

interface LastDraw {
  readonly number: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/**
 * Commits to draws until there is one whose period has not begun: publishes the SHA-256 of two random keys. A plan's first period
 * begins now. If the worker did not run for longer than a period, the next one covers the gap.
 */
export async function commitDraws(app: App, workspaceId: string, planId: string): Promise<void> {
  await inWorkspace(app, workspaceId, async (tx) => {
    const plan = await lockPlan(tx, workspaceId, planId);
    if (plan.endedAt) return;
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx);
    const now = rows[0]?.now ?? new Date();
    for (let last = await findLastDraw(tx, plan); !last || last.startsAt <= now; )
      last = await commit(app, tx, { plan, last, now });
  });
}

async function findLastDraw(tx: Db, { workspaceId, id }: PlanRow): Promise<LastDraw | undefined> {
  return tx
    .selectFrom("reviewDraw")
    .select(["number", "startsAt", "endsAt"])
    .where("workspaceId", "=", workspaceId)
    .where("planId", "=", id)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
}

interface NextDraw {
  readonly plan: PlanRow;
  readonly last: LastDraw | undefined;
  readonly now: Date;
}

async function commit(app: App, tx: Db, { plan, last, now }: NextDraw): Promise<LastDraw> {
  const { workspaceId, id: planId, rules, closeDelayHours } = plan;
  const startsAt = last?.endsAt ?? now;
  const { endsAt, name } = periodFrom(rules.period, rules.time_zone, startsAt < now ? now : startsAt);
  const firstDay = periodFrom("day", rules.time_zone, startsAt).name.slice(0, 10);
  const period = `${firstDay}${name.slice(10)}`;
  const id = newUuidV7();
  const number = (last?.number ?? 0) + 1;
  const keys = { key: randomBytes(32), secondKey: randomBytes(32) };
  const commitment = Buffer.from(commitmentTo(keys.key));
  const secondCommitment = Buffer.from(commitmentTo(keys.secondKey));
  await tx
    .insertInto("reviewDraw")
    .values({
      workspaceId,
      id,
      planId,
      number,
      period,
      startsAt,
      endsAt,
      closesAt: new Date(endsAt.getTime() + settlingMs + closeDelayHours * hourMs),
      rules: JSON.stringify(rules),
      ...sealKeys(app, { workspaceId, id }, keys),
      commitment,
      secondCommitment,
    })
    .execute();
  const published = {
    plan_id: planId,
    period,
    commitment: commitment.toString("hex"),
    second_commitment: secondCommitment.toString("hex"),
    rules_sha256: Buffer.from(rulesDigest(rules)).toString("hex"),
  };
  await emitEvent(tx, { workspaceId, type: "draw.committed", data: { draw_id: id, ...published } });
  const entry = await recordAuditEntry(tx, workspaceId, {
    actor: system,
    action: "draw.committed",
    subject: { type: "draw", id },
    data: published,
  });
  await tx
    .updateTable("reviewDraw")
    .set({ commitmentEntry: entry.number })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .execute();
  return { number, startsAt, endsAt };
}

/** Deletes the draw whose period has not begun. Nobody knows its key, so committing to another one favours nobody. */
export async function withdrawNextDraw(tx: Db, { workspaceId, id }: PlanRow): Promise<void> {
  await tx
    .deleteFrom("reviewDraw")
    .where("workspaceId", "=", workspaceId)
    .where("planId", "=", id)
    .where("startsAt", ">", sql<Date>`now()`)
    .execute();
}
