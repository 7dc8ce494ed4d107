import { setTimeout as sleep } from "node:timers/promises";
import type { EventClient, EventPage } from "./event-client.ts";
import type { Answer } from "./http.ts";

interface RefusedPage {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
}

export interface EventFollower {
  /** Events so far, in the order in which they were read. */
  readonly events: readonly EventPage["events"][number][];
  /** Number of pages that were read. */
  pages(): number;
  /** Responses other than 200, after which the same page was requested again. Status 0: no response. */
  readonly refusals: readonly RefusedPage[];
  /** Reads all events that exist now, then stops. */
  stop(): Promise<void>;
  /** Stops at once, for cleanup. */
  abandon(): void;
}

interface FollowOptions {
  /** Default: from the beginning. */
  readonly cursor?: string;
  readonly query?: string;
  /** Called for every page. */
  readonly limit?: () => number;
}

/** Follows the events, whether the service is available or not. */
export function followEvents(client: EventClient, options: FollowOptions = {}): EventFollower {
  const { query = "", limit = () => 200 } = options;
  const events: EventPage["events"][number][] = [];
  const refusals: RefusedPage[] = [];
  let isLast = false;
  let isAbandoned = false;
  let pages = 0;
  async function run(): Promise<void> {
    let after = options.cursor;
    while (!isAbandoned) {
      const ending = isLast;
      const path = `/events?limit=${limit()}${after ? `&cursor=${after}` : ""}${query}`;
      const answer = await client
        .ask<EventPage>("GET", path)
        .catch((error: Error) => ({ status: 0, text: error.message, body: undefined, headers: {} }));
      if (answer.status !== 200 || !answer.body) {
        const { status, text, headers } = answer as Answer;
        refusals.push({ status, text, retryAfter: headers["retry-after"] });
        await sleep(50);
        continue;
      }
      const { events: page, next, more } = answer.body;
      pages++;
      events.push(...page);
      after = next;
      if (ending && !more) return;
      if (!more) await sleep(5);
    }
  }
  const done = run();
  // stop() reports the error. Until then it must not be an unhandled rejection.
  done.catch(() => {});
  return {
    events,
    pages: () => pages,
    refusals,
    async stop() {
      isLast = true;
      await done;
    },
    abandon() {
      isAbandoned = true;
    },
  };
}

/** Ids of all events that the service has, in their order. */
export async function readAllEvents(client: EventClient): Promise<string[]> {
  const follower = followEvents(client);
  await follower.stop();
  return follower.events.map(({ id }) => id);
}
