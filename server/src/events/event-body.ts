import type { EventBody } from "@hearback/contract";
import type { EventIds } from "./event-id.ts";
import type { StoredEvent } from "./read-events.ts";

export const toEventBody = (event: StoredEvent, ids: EventIds): EventBody =>
  ({
    id: ids.toId(event),
    type: event.type,
    created_at: event.createdAt.toISOString(),
    data: event.data,
    // emitEvent has checked that the data is that of its type.
  }) as EventBody;
