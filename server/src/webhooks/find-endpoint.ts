import type { Db } from "../platform/database/database.ts";
import { AppError } from "../platform/errors.ts";
import { isUuid } from "../platform/is-uuid.ts";
import type { Endpoint } from "./endpoint-body.ts";

const webhookNotFound = (id: string) =>
  new AppError("webhook_not_found", `There is no webhook ${id} in this workspace. GET /webhooks lists them.`);

interface Finding {
  /** Keeps others from changing it until the transaction ends. */
  readonly lock?: boolean;
}

export async function findEndpoint(tx: Db, workspaceId: string, id: string, { lock = false }: Finding = {}) {
  const found = isUuid(id)
    ? await tx
        .selectFrom("webhookEndpoint")
        .selectAll()
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .$if(lock, (query) => query.forNoKeyUpdate())
        .executeTakeFirst()
    : undefined;
  if (!found) throw webhookNotFound(id);
  return found;
}

/** The endpoint, if events can be sent to it. */
export async function findEnabledEndpoint(tx: Db, workspaceId: string, id: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(tx, workspaceId, id, { lock: true });
  if (endpoint.disabledAt) {
    const mend = `Enable it first: PATCH /webhooks/${id} with {"enabled": true}.`;
    throw new AppError("webhook_disabled", `The webhook is disabled (${endpoint.disabledReason}). ${mend}`);
  }
  return endpoint;
}
