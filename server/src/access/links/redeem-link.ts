import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { operatorIn } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { endLinks, useLink } from "../../users/access-links.ts";
import { addUser } from "../../users/invite-user.ts";
import { renameUser } from "../../users/own-account.ts";
import { isPasswordSignInOn } from "../../users/password-sign-in-setting.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { linkEnded } from "../errors.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { startSession } from "../sessions/start-session.ts";
import type { PasswordHasher } from "../sign-in/password-hasher.ts";
import { requireStrongPassword } from "../sign-in/require-strong-password.ts";
import { setPassword } from "../sign-in/set-password.ts";
import { type SignInOutcome, startOrAskSecondStep } from "../two-step/second-step.ts";
import { type FoundLink, findLink } from "./find-link.ts";

export interface RedeemLinkInput {
  readonly token: string;
  /** Called for every kind but `sign_in`. Throws if the request has no password. */
  readonly password: () => string;
  /** Name chosen by an invited user; absent: the name in the invitation. */
  readonly name: string | undefined;
  /** Called for a `setup` link: the first administrator and the workspace name. */
  readonly firstAdmin: () => { readonly email: string; readonly name: string; readonly workspaceName: string };
  readonly userAgent: string | undefined;
  readonly address: string;
}

/** Sets the password of the link's user, unless it is a `sign_in` link, and signs them in. A link works once, even under concurrent requests. */
export async function redeemLink(app: App, hasher: PasswordHasher, input: RedeemLinkInput): Promise<SignInOutcome> {
  const link = await findLink(app, input.token);
  if (link.kind === "setup") {
    const firstAdmin = input.firstAdmin();
    const password = input.password();
    requireStrong(password, firstAdmin.name, firstAdmin.email, firstAdmin.workspaceName);
    return setUp(app, link, { ...input, firstAdmin, passwordHash: await hasher.hash(password) });
  }
  const { workspaceId, user } = link;
  if (link.kind === "sign_in") return signInByLink(app, link, input);
  const password = input.password();
  requireStrong(password, input.name ?? user.name, user.name, user.email, link.workspaceName);
  const passwordHash = await hasher.hash(password);
  return inWorkspace(app, workspaceId, async (tx) => {
    await endSessions(tx, workspaceId, user.id);
    await consume(tx, link);
    if (!(await isPasswordSignInOn(tx, workspaceId, { lock: true }))) throw linkEnded();
    await endLinks(tx, workspaceId, user.id);
    if (link.kind === "invitation") await renameUser(tx, workspaceId, user, input.name);
    await setPassword(tx, { workspaceId, actor: { type: "user", id: user.id } }, user.id, passwordHash);
    const { userAgent, address } = input;
    return startOrAskSecondStep(app, tx, { workspaceId, userId: user.id, signedInBy: "link", userAgent, address });
  });
}

/** Signs in without a password, but not without the second step. Operators create these links for locked-out administrators. */
async function signInByLink(
  app: App,
  link: PersonalLink,
  { userAgent, address }: RedeemLinkInput,
): Promise<SignInOutcome> {
  const { workspaceId, user } = link;
  // The role was changed after the link was created.
  if (user.role !== "admin") throw linkEnded();
  return inWorkspace(app, workspaceId, async (tx) => {
    await consume(tx, link);
    return startOrAskSecondStep(app, tx, { workspaceId, userId: user.id, signedInBy: "link", userAgent, address });
  });
}

const requireStrong = (password: string, ...about: string[]) =>
  requireStrongPassword({ password, part: "password", about });

type PersonalLink = Exclude<FoundLink, { kind: "setup" }>;

async function consume(tx: Db, { workspaceId, id }: PersonalLink): Promise<void> {
  if (!(await useLink(tx, workspaceId, id))) throw linkEnded();
}

interface SetUp {
  readonly firstAdmin: { readonly email: string; readonly name: string; readonly workspaceName: string };
  readonly passwordHash: string;
  readonly userAgent: string | undefined;
  readonly address: string;
}

/** Creates a workspace and its first administrator atomically. */
async function setUp(app: App, { hash }: { hash: Buffer }, { firstAdmin, passwordHash, userAgent, address }: SetUp) {
  const workspaceId = randomUUID();
  const by = operatorIn(workspaceId);
  return inWorkspace(app, workspaceId, async (tx) => {
    const used = await tx
      .updateTable("setupLink")
      .set({ endedAt: sql<Date>`now()` })
      .where("hash", "=", hash)
      .where("endedAt", "is", null)
      .where("expiresAt", ">", sql<Date>`now()`)
      .returning("hash")
      .executeTakeFirst();
    if (!used) throw linkEnded();
    await createWorkspace({ db: tx }, firstAdmin.workspaceName, workspaceId);
    const { email, name } = firstAdmin;
    const user = await addUser(app, tx, by, { email, name, role: "admin", sendInvitation: false });
    await setPassword(tx, by, user.id, passwordHash);
    return startSession(app, tx, { workspaceId, userId: user.id, signedInBy: "link", userAgent, address });
  });
}
