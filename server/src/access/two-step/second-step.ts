import type { SecondFactor } from "@hearback/contract";
import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { system } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { hashToken, isToken, newToken } from "../../platform/token.ts";
import { secondStepExpired, secondStepFailed } from "../errors.ts";
import { type NewSession, requireStillAllowed, type StartedSession, startSession } from "../sessions/start-session.ts";
import type { SignInThrottle } from "../throttle/sign-in-throttle.ts";
import { secondStepThrottles } from "../throttle/sign-in-throttle-rules.ts";
import { findMethods, type UserRef } from "./find-factors.ts";
import { redeemRecoveryCode } from "./recovery-codes.ts";
import { acceptTotp } from "./totp-factor.ts";

/** Lifetime of a pending sign-in. */
const pendingTtlMs = 5 * 60_000;

/** A sign-in that awaits its second step. Its token grants nothing else. */
export interface PendingSignIn {
  readonly kind: "second_step";
  /** Cookie value: the workspace id and 256 random bits. */
  readonly token: string;
  readonly expiresAt: Date;
  readonly methods: readonly SecondFactor[];
}

export type SignInOutcome = StartedSession | PendingSignIn;

export const isPending = (outcome: SignInOutcome): outcome is PendingSignIn => "kind" in outcome;

/** Starts a session or, for a user with a second factor, a pending sign-in. Call last in a transaction. */
export async function startOrAskSecondStep(
  app: App,
  tx: Db,
  input: NewSession & { readonly signedInBy: "password" | "link" },
): Promise<SignInOutcome> {
  const { workspaceId, userId, signedInBy } = input;
  // Locks the user first: a factor added concurrently is either visible here or ends this session.
  await requireStillAllowed(tx, input);
  const methods = await findMethods(tx, input);
  if (methods.length === 0) return startSession(app, tx, input);
  const token = newToken();
  const expiresAt = new Date(Date.now() + pendingTtlMs);
  await tx
    .insertInto("pendingSignIn")
    .values({ workspaceId, userId, signedInBy, hash: hashToken(token), expiresAt })
    .execute();
  return { kind: "second_step", token: `${workspaceId}.${token}`, expiresAt, methods };
}

export interface SecondStepInput {
  /** The cookie's value. */
  readonly pending: string | undefined;
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
  readonly userAgent: string | undefined;
  readonly address: string;
}

/** Completes a pending sign-in with a code. Wrong codes count in the sign-in throttle; a right code works once. */
export async function finishSecondStep(
  app: App,
  throttle: SignInThrottle,
  input: SecondStepInput,
): Promise<StartedSession> {
  const pending = parsePending(input.pending);
  const user = pending && (await inWorkspace(app, pending.workspaceId, (tx) => findPending(tx, pending)));
  if (!pending || !user) throw secondStepExpired();
  const taken = await throttle.require(secondStepThrottles(user.userId, input.address));
  const started = await inWorkspace(app, pending.workspaceId, async (tx) => {
    const secondFactor = await accept(app, tx, user, input);
    if (!secondFactor) return undefined;
    // A concurrent end of all sessions either waits for startSession or has already deleted this row.
    if (!(await removePending(tx, pending))) throw secondStepExpired();
    const { userAgent, address } = input;
    return startSession(app, tx, { ...user, secondFactor, userAgent, address });
  }).catch(async (error: unknown) => {
    await throttle.refund(taken);
    throw error;
  });
  if (!started) {
    void recordFailedSecondStep(app, user, input.address);
    throw secondStepFailed();
  }
  await throttle.reset(taken);
  return started;
}

async function accept(app: App, tx: Db, user: UserRef, input: SecondStepInput): Promise<SecondFactor | undefined> {
  if (input.code !== undefined) return (await acceptTotp(app, tx, user, input.code)) ? "totp" : undefined;
  const { recoveryCode = "" } = input;
  return (await redeemRecoveryCode(tx, user, recoveryCode)) ? "recovery_code" : undefined;
}

interface PendingRef {
  readonly workspaceId: string;
  readonly hash: Buffer;
}

function parsePending(value = ""): PendingRef | undefined {
  const [workspaceId = "", token = "", ...more] = value.split(".");
  return isUuid(workspaceId) && isToken(token) && more.length === 0
    ? { workspaceId, hash: hashToken(token) }
    : undefined;
}

const findPending = async (tx: Db, { workspaceId, hash }: PendingRef) => {
  const rows = tx.selectFrom("pendingSignIn").select(["workspaceId", "userId", "signedInBy"]);
  const found = await rows
    .where("workspaceId", "=", workspaceId)
    .where("hash", "=", hash)
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return found && { ...found, signedInBy: found.signedInBy as "password" | "link" };
};

async function removePending(tx: Db, { workspaceId, hash }: PendingRef): Promise<boolean> {
  const rows = tx.deleteFrom("pendingSignIn").where("workspaceId", "=", workspaceId).where("hash", "=", hash);
  return (await rows.returning("userId").executeTakeFirst()) !== undefined;
}

async function recordFailedSecondStep(app: App, { workspaceId, userId }: UserRef, address: string): Promise<void> {
  const subject = { type: "user", id: userId };
  const data = { address, step: "second" };
  await inWorkspace(app, workspaceId, (tx) =>
    recordAuditEntry(tx, workspaceId, { actor: system, action: "session.failed", subject, data }),
  ).catch((err) => app.log.warn({ err, workspaceId }, "could not record a failed sign-in in the audit log"));
}
