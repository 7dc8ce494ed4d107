import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { record } from "../audit/record.ts";
import { findHorizon } from "../events/read-events.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { openAddressRules } from "./address-rules.ts";
import { whyUrlIsWrong } from "./endpoint-url.ts";
import { mostEndpoints } from "./list-endpoints.ts";
import { newSecret } from "./sign-payload.ts";

export interface CreateEndpointInput {
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[];
}

/** Refuses a URL to which nothing could ever be sent. */
export function checkUrl(app: App, url: string): void {
  const wrong = whyUrlIsWrong(url, openAddressRules(app.config.webhooks.allowedNetworks));
  if (!wrong) return;
  const detail = `url ${wrong.detail}.`;
  throw new AppError("fields_invalid", detail, { issues: [{ part: "url", code: wrong.code, detail }] });
}

/** Adds an endpoint that is told of everything from now on. */
export async function createEndpoint(app: App, by: Acting, { url, description, types }: CreateEndpointInput) {
  const { workspaceId, actor } = by;
  checkUrl(app, url);
  return inWorkspace(app, workspaceId, async (tx) => {
    // One after the other, so that two at once cannot both be the last one that fits.
    await sql`select pg_advisory_xact_lock(hashtext('hearback.webhooks'), hashtext(${workspaceId}))`.execute(tx);
    const { count } = await tx
      .selectFrom("webhookEndpoint")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("workspaceId", "=", workspaceId)
      .executeTakeFirstOrThrow();
    if (count >= mostEndpoints) {
      const detail = `This workspace has ${count} webhooks, the most it may have. Delete one that is not used: DELETE /webhooks/{id}.`;
      throw new AppError("webhook_limit_reached", detail);
    }
    const { epoch, xid, seq } = await findHorizon(tx);
    const endpoint = await tx
      .insertInto("webhookEndpoint")
      .values({
        workspaceId,
        id: randomUUID(),
        url,
        description,
        types: [...new Set(types)],
        secret: newSecret(),
        cursorEpoch: epoch,
        cursorXid: xid,
        cursorSeq: seq,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await tx.insertInto("webhookFollower").values({ endpointId: endpoint.id, workspaceId }).execute();
    const subject = { type: "webhook", id: endpoint.id };
    await record(tx, workspaceId, { actor, action: "webhook.created", subject });
    return endpoint;
  });
}
