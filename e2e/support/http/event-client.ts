import type { Stack } from "../stack/stack.ts";
import { type Answer, send } from "./http.ts";

export interface Webhook {
  readonly id: string;
  readonly secret: string;
  readonly enabled: boolean;
  readonly disabled: { readonly reason: string } | null;
}

export interface Delivery {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: readonly { readonly status: number | null; readonly error: string | null }[];
}

export interface EventPage {
  readonly events: readonly { readonly id: string; readonly type: string; readonly data: Record<string, unknown> }[];
  readonly next: string;
  readonly more: boolean;
}

/** A client of /events and /webhooks, with all scopes. */
export interface EventClient {
  readonly apiKey: string;
  ask<Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>>;
  createWebhook(url: string, more?: object): Promise<Webhook>;
  deliveries(id: string, query?: string): Promise<readonly Delivery[]>;
}

export async function eventClient(stack: Stack, baseUrl: string): Promise<EventClient> {
  const { key: apiKey } = await stack.command<{ key: string }>(
    ...[
      "key",
      "create",
      "--workspace",
      stack.workspaceId,
      "--name",
      "events",
      "--scope",
      "read",
      "manage",
      "import",
      "review",
    ],
    "--json",
  );
  const ask = <Body>(method: string, path: string, body?: unknown) =>
    send<Body>(`${baseUrl}${path}`, {
      method,
      headers: { "x-api-key": apiKey, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    apiKey,
    ask,
    async createWebhook(url, more = {}) {
      const answer = await ask<Webhook>("POST", "/webhooks", { url, ...more });
      if (answer.status !== 201) throw new Error(`no webhook: ${answer.status} ${answer.text}`);
      return answer.body;
    },
    async deliveries(id, query = "?limit=200") {
      return (await ask<{ deliveries: Delivery[] }>("GET", `/webhooks/${id}/deliveries${query}`)).body.deliveries;
    },
  };
}
