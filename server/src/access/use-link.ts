import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { announce } from "../events/announce.ts";
import { operatorIn } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { endSessions } from "../users/end-sessions.ts";
import { addUser } from "../users/invite-user.ts";
import { endLinks } from "../users/make-link.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { type FoundLink, findLink, linkEnded } from "./find-link.ts";
import type { Passwords } from "./passwords.ts";
import { setPassword } from "./set-password.ts";
import { type StartedSession, startSession } from "./start-session.ts";

export interface UseLinkInput {
  readonly token: string;
  readonly password: string;
  /** What an invited person is called; absent: as they were invited. */
  readonly name: string | undefined;
  /** For a link of the kind setup: who the first administrator is, and of what. */
  readonly first: () => { readonly email: string; readonly name: string; readonly workspaceName: string };
  readonly userAgent: string | undefined;
}

/** Chooses the password of whoever the link is for and signs them in. A link works once, also for two at the same time. */
export async function useLink(app: App, passwords: Passwords, input: UseLinkInput): Promise<StartedSession> {
  const link = await findLink(app, input.token);
  if (link.kind === "setup") {
    const first = input.first();
    return setUp(app, link, { ...input, first, passwordHash: await passwords.hash(input.password) });
  }
  const passwordHash = await passwords.hash(input.password);
  const { workspaceId, user } = link;
  return inWorkspace(app, workspaceId, async (tx) => {
    await endSessions(tx, workspaceId, user.id);
    await consume(tx, link);
    await endLinks(tx, workspaceId, user.id);
    if (link.kind === "invitation") await rename(tx, link, input.name);
    await setPassword(tx, { workspaceId, actor: { type: "user", id: user.id } }, user.id, passwordHash);
    const { userAgent } = input;
    return startSession(app, tx, { workspaceId, userId: user.id, signedInBy: "link", userAgent });
  });
}

type PersonalLink = Exclude<FoundLink, { kind: "setup" }>;

/** Of two who use it at once, the second finds it used. */
async function consume(tx: Db, { workspaceId, id }: PersonalLink): Promise<void> {
  const used = await tx
    .updateTable("accessLink")
    .set({ endedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("endedAt", "is", null)
    .where("expiresAt", ">", sql<Date>`now()`)
    .returning("id")
    .executeTakeFirst();
  if (!used) throw linkEnded();
}

async function rename(tx: Db, { workspaceId, user }: PersonalLink, name: string | undefined): Promise<void> {
  if (name === undefined || name === user.name) return;
  await tx
    .updateTable("appUser")
    .set({ name })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", user.id)
    .execute();
  await announce(tx, { workspaceId, type: "user.changed", data: { user_id: user.id, changed: ["name"] } });
}

interface SetUp {
  readonly first: { readonly email: string; readonly name: string; readonly workspaceName: string };
  readonly passwordHash: string;
  readonly userAgent: string | undefined;
}

/** Makes a workspace and its first administrator: both, or neither. */
async function setUp(app: App, { hash }: { hash: Buffer }, { first, passwordHash, userAgent }: SetUp) {
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
    await createWorkspace({ db: tx }, first.workspaceName, workspaceId);
    const { email, name } = first;
    const user = await addUser(app, tx, by, { email, name, role: "admin", sendInvitation: false });
    await setPassword(tx, by, user.id, passwordHash);
    return startSession(app, tx, { workspaceId, userId: user.id, signedInBy: "link", userAgent });
  });
}
