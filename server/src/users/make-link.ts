import type { LinkKind } from "@hearback/contract";
import { sql } from "kysely";
import { record } from "../audit/record.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { newIdByTime } from "../platform/ids-by-time.ts";
import { hashToken, newToken } from "../platform/token.ts";

const hourMs = 3_600_000;
/** How long a link of each kind can be used. */
export const linkLifeMs = { setup: hourMs, invitation: 7 * 24 * hourMs, reset: hourMs } as const satisfies Record<
  LinkKind,
  number
>;

/** A link with what it holds: given once, only its hash is kept. */
export interface MadeLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Behind the #, which browsers tell no server: the token ends in nobody's log. */
export const linkUrl = (app: App, token: string) => `${app.config.publicUrl}/console/welcome#${token}`;

export interface PersonalLink {
  readonly userId: string;
  readonly kind: "invitation" | "reset";
  /** Given to somebody in hand: no letter, which anybody can have sent, puts another in its place. */
  readonly handedOver: boolean;
}

/** Makes a link by which a person chooses a password, in the place of those before; one by mail in that of mailed ones. To be called last in a transaction. */
export async function makeLink(
  app: App,
  tx: Db,
  { workspaceId, actor }: Acting,
  link: PersonalLink,
): Promise<MadeLink> {
  const { userId, kind, handedOver } = link;
  const token = newToken();
  const expiresAt = new Date(Date.now() + linkLifeMs[kind]);
  await endLinks(tx, workspaceId, userId, { mailedOnly: !handedOver });
  await tx
    .insertInto("accessLink")
    .values({ workspaceId, id: newIdByTime(), userId, kind, handedOver, hash: hashToken(token), expiresAt })
    .execute();
  const subject = { type: "user", id: userId };
  await record(tx, workspaceId, { actor, action: "link.created", subject, data: { kind } });
  return { url: linkUrl(app, token), expiresAt };
}

/** Ends the links of a person that were not used. */
export async function endLinks(
  tx: Db,
  workspaceId: string,
  userId: string,
  { mailedOnly = false } = {},
): Promise<void> {
  await tx
    .updateTable("accessLink")
    .set({ endedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("userId", "=", userId)
    .where("endedAt", "is", null)
    .$if(mailedOnly, (links) => links.where("handedOver", "=", false))
    .execute();
}
