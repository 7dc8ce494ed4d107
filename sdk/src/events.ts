import type { Items } from "./pages.ts";
import { pause } from "./retry.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { EventBody, EventPageBody, EventType } from "./wire.ts";

export interface ListEvents<Type extends EventType = EventType> extends RequestOptions {
  /**
   * The id of the last event you have processed, or "latest" to start now. Omit to start at the oldest stored event.
   */
  readonly cursor?: string | undefined;
  /** Only events of these types. */
  readonly type?: Type | readonly Type[] | undefined;
  readonly limit?: number | undefined;
}

export interface FollowEvents<Type extends EventType = EventType> extends ListEvents<Type> {
  /** Polling interval when there are no new events. */
  readonly pollIntervalMs?: number | undefined;
}

export function openEvents(transport: Transport) {
  const page = ({ signal, ...query }: ListEvents = {}): Promise<EventPageBody> =>
    transport.json({ method: "GET", path: "/events", query, signal });

  return {
    page,
    /**
     * Iterates over all events in order, then polls for new ones until the signal is aborted. Store the id of the last
     * event you have processed and pass it as `cursor` the next time.
     */
    async *follow<Type extends EventType = EventType>({
      pollIntervalMs = 2_000,
      ...ask
    }: FollowEvents<Type> = {}): Items<Extract<EventBody, { readonly type: Type }>> {
      let { cursor } = ask;
      try {
        for (;;) {
          const { events, next, more } = await page({ ...ask, cursor });
          // The service returns only events of the requested types.
          yield* events as Extract<EventBody, { readonly type: Type }>[];
          // If there are no events yet, "latest" would skip the first one.
          cursor = next ?? (cursor === "latest" ? undefined : cursor);
          if (!more) await pause(pollIntervalMs, ask.signal);
        }
      } catch (error) {
        if (!ask.signal?.aborted) throw error;
      }
    },
  };
}
