import { EventPageBody, ListEventsQuery } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { route } from "../platform/http/route.ts";
import { parseSearchQuery } from "../platform/http/search-query.ts";
import type { Api } from "../platform/http/server.ts";
import { cursorExpired } from "./errors.ts";
import { toEventBody } from "./event-body.ts";
import { type EventIds, readEventIds } from "./event-id.ts";
import { invalidEventId, listEvents } from "./list-events.ts";

function positionOf(cursor: string | undefined, ids: EventIds) {
  if (cursor === undefined || cursor === "latest") return cursor;
  const position = ids.toPosition(cursor);
  if (!position) throw invalidEventId("cursor");
  return position;
}

export function eventRoutes(api: Api, app: App): void {
  route(api, {
    method: "GET",
    path: "/events",
    id: "listEvents",
    tag: "Events",
    summary: "List events",
    description:
      "Returns the events of the workspace in a stable order: new events never appear before those already returned. To continue, pass `next` from the response as `cursor`; `more` tells whether more events are available now. `cursor=latest` returns no events, only a cursor to follow from now on. Events are kept for 90 days by default.",
    access: ["read"],
    query: ListEventsQuery,
    parseQuery: parseSearchQuery,
    answers: { 200: [EventPageBody, "The next events, oldest first."] },
    errors: [cursorExpired],
  }).handle(async ({ caller: { workspaceId }, query: { cursor, limit, type: types }, about }) => {
    const { ids, page } = await inWorkspace(app, workspaceId, async (tx) => {
      const ids = await readEventIds(tx, workspaceId);
      return { ids, page: await listEvents(tx, workspaceId, { after: positionOf(cursor, ids), limit, types }) };
    });
    about.events = page.events.length;
    return {
      events: page.events.map((event) => toEventBody(event, ids)),
      next: page.next ? ids.toId(page.next) : null,
      more: page.more,
    };
  });
}
