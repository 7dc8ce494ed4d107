import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { Claim } from "./delivery-lease.ts";

const batchSize = 50;

export interface DueDelivery {
  readonly id: string;
  readonly attempts: number;
}

interface Due {
  readonly failingSince: Date | null;
  readonly deliveries: DueDelivery[];
}

/** Returns the next due deliveries of a webhook: test events first, then the longest waiting. */
export async function findDueDeliveries(app: App, claim: Claim, inFlight: readonly string[]): Promise<Due | undefined> {
  const { workspaceId, endpointId } = claim;
  return inWorkspace(app, workspaceId, async (tx) => {
    const webhook = await tx
      .selectFrom("webhookEndpoint")
      .select("failingSince")
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", endpointId)
      .where("disabledAt", "is", null)
      .executeTakeFirst();
    if (!webhook) return undefined;
    const due = tx
      .selectFrom("webhookDelivery")
      .select(["id", "attempts"])
      .where("workspaceId", "=", workspaceId)
      .where("endpointId", "=", endpointId)
      .where("state", "=", "pending")
      .where((eb) => eb("dueAt", "<=", eb.fn<Date>("now")))
      .$if(inFlight.length > 0, (rows) => rows.where("id", "not in", inFlight));
    // `offset 0` forces the index of test events. With an order, the planner may scan all pending deliveries.
    const dueTests = due.select("dueAt").where("eventType", "=", "webhook.test").offset(0).as("tests");
    const tests = await tx.selectFrom(dueTests).select(["id", "attempts"]).orderBy("dueAt").limit(batchSize).execute();
    return {
      ...webhook,
      deliveries: tests.length > 0 ? tests : await due.orderBy("dueAt").limit(batchSize).execute(),
    };
  });
}
