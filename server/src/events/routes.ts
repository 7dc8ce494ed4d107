import { EventPageBody, ListEventsParameters, ListEventsQuery } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import { parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { toEventBody } from "./event-body.ts";
import { parseEventId, toEventId } from "./event-id.ts";
import { listEvents, wrongCursor } from "./list-events.ts";

function cursorOf(after: string | undefined) {
  if (after === undefined || after === "latest") return after;
  const position = parseEventId(after);
  if (!position) throw wrongCursor("after");
  return position;
}

export function eventRoutes(api: Api, app: App): void {
  api.get(
    "/events",
    {
      config: { access: ["read"] },
      schema: {
        operationId: "listEvents",
        summary: "Read what happened",
        description:
          "Events of the workspace, in an order that never changes: nothing appears later before what was read. Pass the answer's `next` as `after` to go on; `more` says whether there is more at once. `after=latest` gives no events, and the cursor to follow from now on. Events are kept for 90 days unless the installation says otherwise.",
        tags: ["Events"],
        querystring: ListEventsParameters,
        response: {
          200: EventPageBody.describe("The next events, oldest first."),
          ...errorAnswers(401, 403, "cursor_expired", 422, 500, 503),
        },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller;
      const query = parseFields(ListEventsQuery, request.query as Record<string, unknown>, {
        missingCode: "member_missing",
      });
      const after = cursorOf(query.after);
      const page = await inWorkspace(app, workspaceId, (tx) =>
        listEvents(tx, workspaceId, { after, limit: query.limit, types: query.type }),
      );
      request.about = { workspaceId, events: page.events.length };
      return { events: page.events.map(toEventBody), next: page.next ? toEventId(page.next) : null, more: page.more };
    },
  );
}
