import type { Items } from "./pages.ts";
import { pause } from "./retry.ts";
import { toQuery } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { EventBody, EventPageBody, EventType } from "./wire.ts";

export interface ListEvents extends RequestOptions {
  /** The id of the last event that you have seen, or "latest" to begin now; absent: from the oldest kept. */
  readonly after?: string | undefined;
  /** Only events of these types. */
  readonly type?: EventType | readonly EventType[] | undefined;
  readonly limit?: number | undefined;
}

export interface FollowEvents extends ListEvents {
  /** How long to wait before asking again when there is nothing new. */
  readonly pauseMs?: number | undefined;
}

export function openEvents(transport: Transport) {
  const page = ({ signal, ...query }: ListEvents = {}): Promise<EventPageBody> =>
    transport.json({ method: "GET", path: "/events", query: toQuery(query), signal });

  return {
    page,
    /**
     * Every event, in order, and then each new one when it happens. Goes on until the signal is aborted, and then ends.
     * Keep the id of the last event you have dealt with, and begin with it the next time.
     */
    async *follow({ pauseMs = 2_000, ...ask }: FollowEvents = {}): Items<EventBody> {
      let { after } = ask;
      try {
        for (;;) {
          const { events, next, more } = await page({ ...ask, after });
          yield* events;
          // Where nothing has happened yet, whatever happens first is new.
          after = next ?? (after === "latest" ? undefined : after);
          if (!more) await pause(pauseMs, ask.signal);
        }
      } catch (error) {
        if (!ask.signal?.aborted) throw error;
      }
    },
  };
}
export type Events = ReturnType<typeof openEvents>;
