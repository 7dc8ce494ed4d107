import type { EventBody } from "@hearback/contract";
import { toEventId } from "./event-id.ts";
import type { StoredEvent } from "./read-events.ts";

export const toEventBody = (event: StoredEvent): EventBody => ({
  id: toEventId(event),
  type: event.type,
  created_at: event.createdAt.toISOString(),
  data: event.data,
});
