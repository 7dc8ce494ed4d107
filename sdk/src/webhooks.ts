import { type Items, paged } from "./pages.ts";
import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type {
  DeliveryBody,
  DeliveryPageBody,
  DeliveryState,
  EventType,
  ReplayedBody,
  WebhookBody,
  WebhookListBody,
  WebhookTestBody,
  WebhookWithSecretBody,
} from "./wire.ts";

type WebhookEventType = Exclude<EventType, "webhook.test">;

export interface CreateWebhook extends RequestOptions {
  readonly url: string;
  readonly description?: string | undefined;
  /** Send only events of these types. Empty or omitted: all types, including future ones. */
  readonly types?: readonly WebhookEventType[] | undefined;
}

export interface ChangeWebhook extends RequestOptions {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly types?: readonly WebhookEventType[] | undefined;
  readonly enabled?: boolean | undefined;
}

export interface ListDeliveries extends RequestOptions {
  readonly state?: DeliveryState | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Selects one event, a time range, or a range between two events. */
export interface ReplayEvents extends RequestOptions {
  readonly eventId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly after?: string | undefined;
  readonly until?: string | undefined;
}

export function openWebhooks(transport: Transport) {
  const deliveries = paged(
    ({ id, signal, ...query }: ListDeliveries & { id: string }) =>
      transport.json<DeliveryPageBody>({
        method: "GET",
        path: pathOf(id, "/deliveries"),
        query,
        signal,
      }),
    (page) => ({ items: page.deliveries, next: page.next }),
  );
  return {
    list: async (options: RequestOptions = {}): Promise<WebhookBody[]> =>
      (await transport.json<WebhookListBody>({ method: "GET", path: "/webhooks", ...options })).webhooks,
    /** Creates a webhook. Only this response contains the signing secret. */
    create: ({ signal, ...webhook }: CreateWebhook): Promise<WebhookWithSecretBody> =>
      transport.json({ method: "POST", path: "/webhooks", body: inSnakeCase(webhook), signal }),
    find: (id: string, options: RequestOptions = {}): Promise<WebhookBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    change: (id: string, { signal, ...change }: ChangeWebhook): Promise<WebhookBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: inSnakeCase(change), signal }),
    delete: (id: string, options: RequestOptions = {}): Promise<void> => transport.remove(pathOf(id), options),
    /** Creates a new signing secret. For `overlapHours`, deliveries are also signed with the old one. */
    rotateSecret: (
      id: string,
      { signal, ...how }: RequestOptions & { readonly overlapHours?: number | undefined } = {},
    ): Promise<WebhookWithSecretBody> =>
      transport.json({ method: "POST", path: pathOf(id, "/rotate-secret"), body: inSnakeCase(how), signal }),
    /** Sends a `webhook.test` event to the webhook. */
    test: (id: string, options: RequestOptions = {}): Promise<WebhookTestBody> =>
      transport.json({ method: "POST", path: pathOf(id, "/test"), ...options }),
    /** Iterates over deliveries and their attempts, newest first. */
    deliveries: (id: string, filter: ListDeliveries = {}): Items<DeliveryBody> => deliveries.all({ ...filter, id }),
    deliveriesPage: (id: string, filter: ListDeliveries = {}): Promise<DeliveryPageBody> =>
      deliveries.page({ ...filter, id }),
    /** Sends past events again. */
    replay: (id: string, { signal, ...events }: ReplayEvents): Promise<ReplayedBody> =>
      transport.json({ method: "POST", path: pathOf(id, "/replay"), body: inSnakeCase(events), signal }),
  };
}
export type Webhooks = ReturnType<typeof openWebhooks>;

const pathOf = (id: string, rest = "") => `/webhooks/${encodeURIComponent(id)}${rest}`;
