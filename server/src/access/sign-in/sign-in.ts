import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { system } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { signInFailed, workspaceAmbiguous } from "../errors.ts";
import { findUsersByEmail, type UserWithEmail } from "../find-users-by-email.ts";
import type { SignInThrottle } from "../throttle/sign-in-throttle.ts";
import { signInThrottles } from "../throttle/sign-in-throttle-rules.ts";
import { type SignInOutcome, startOrAskSecondStep } from "../two-step/second-step.ts";
import type { PasswordHasher } from "./password-hasher.ts";

export interface SignInInput {
  readonly email: string;
  readonly password: string;
  /** Absent: any workspace. */
  readonly workspaceId: string | undefined;
  readonly userAgent: string | undefined;
  /** Client IP address. */
  readonly address: string;
}

/** The process-wide password hasher and sign-in throttle. */
export interface SignInGuard {
  readonly hasher: PasswordHasher;
  readonly throttle: SignInThrottle;
}

/** Passwords are checked in at most this many workspaces. Users with more must send a workspace_id. */
const maxWorkspaces = 10;

/** Signs in with email and password, up to the second step. Unknown email, wrong password, deactivated user and missing password fail with the same error. */
export async function signIn(app: App, { hasher, throttle }: SignInGuard, input: SignInInput): Promise<SignInOutcome> {
  const { email, userAgent, address } = input;
  const taken = await throttle.require(signInThrottles(email, address));
  const { candidates, matching, matchesEverywhere } = await check(app, hasher, input).catch(async (error: unknown) => {
    await throttle.refund(taken);
    throw error;
  });
  // An attacker can own a workspace with the same email address, so a match in one must not clear guesses at the others.
  if (matching.length > 0) await (matchesEverywhere ? throttle.reset(taken) : throttle.refund(taken));
  if (matching.length > 1) throw ambiguous(matching);
  const [user] = matching;
  if (!user) {
    // Not awaited: the response time would reveal whether the user exists.
    void recordFailedSignIn(app, candidates, address);
    throw signInFailed();
  }
  return inWorkspace(app, user.workspaceId, (tx) =>
    startOrAskSecondStep(app, tx, { ...user, signedInBy: "password", userAgent, address }),
  );
}

async function check(app: App, hasher: PasswordHasher, { email, password, workspaceId }: SignInInput) {
  const all = await findUsersByEmail(app, email);
  const candidates = all.filter((user) => !workspaceId || user.workspaceId === workspaceId);
  const checked = withPassword(candidates);
  // Verify at least once, even without a user: a faster response would reveal that the user does not exist.
  if (checked.length === 0) await hasher.verify(password, null);
  const matching = await filterByPassword(hasher, password, checked.slice(0, maxWorkspaces));
  const others = matching.length > 0 ? withPassword(all).filter((user) => !checked.includes(user)) : [];
  const matchesEverywhere =
    matching.length === checked.length &&
    others.length <= maxWorkspaces &&
    (await filterByPassword(hasher, password, others)).length === others.length;
  return { candidates, matching, matchesEverywhere };
}

const withPassword = (users: readonly UserWithEmail[]) => users.filter(({ passwordHash }) => passwordHash !== null);

async function filterByPassword(
  hasher: PasswordHasher,
  password: string,
  users: readonly UserWithEmail[],
): Promise<UserWithEmail[]> {
  const matching: UserWithEmail[] = [];
  for (const user of users) if (await hasher.verify(password, user.passwordHash)) matching.push(user);
  return matching;
}

/** Records a failed sign-in in the audit log of each candidate's workspace. */
export async function recordFailedSignIn(
  app: App,
  users: readonly Pick<UserWithEmail, "workspaceId" | "userId">[],
  address: string,
  reason?: "other_account",
): Promise<void> {
  for (const { workspaceId, userId } of users.slice(0, maxWorkspaces)) {
    await inWorkspace(app, workspaceId, (tx) =>
      recordAuditEntry(tx, workspaceId, {
        actor: system,
        action: "session.failed",
        subject: { type: "user", id: userId },
        data: { address, ...(reason && { reason }) },
      }),
    ).catch((err) => app.log.warn({ err, workspaceId }, "could not record a failed sign-in in the audit log"));
  }
}

const ambiguous = (users: readonly UserWithEmail[]) =>
  workspaceAmbiguous(users.map(({ workspaceId, workspaceName }) => ({ id: workspaceId, name: workspaceName })));
