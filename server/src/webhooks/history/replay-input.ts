import type { ReplayBody } from "@hearback/contract";
import { looksLikeEventId } from "../../events/event-id.ts";
import { invalidEventId } from "../../events/list-events.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import type { ReplayInput } from "./replay-events.ts";

function reject(part: string, code: string, detail: string): never {
  throw fieldInvalid(part, code, detail);
}

/** Validates the fields: one event, or a range with a start. Whether the ids belong to the workspace is checked later. */
export function toReplayInput(fields: ReplayBody): ReplayInput {
  const { event_id: eventId, from, to, after, until } = fields;
  for (const [part, id] of Object.entries({ event_id: eventId, after, until })) {
    if (id !== undefined && !looksLikeEventId(id)) throw invalidEventId(part);
  }
  if (eventId !== undefined) {
    if (from || to || after || until)
      reject("event_id", "too_much", "event_id cannot be combined with from, to, after or until.");
    return { eventId };
  }
  if (!from && !after) {
    const detail =
      "Send event_id to replay one event, or from or after to replay a range, with to or until as its optional end.";
    reject(to ? "from" : until ? "after" : "event_id", "missing", detail);
  }
  if (from && to && from >= to) reject("to", "before_from", "to must be later than from.");
  return { from, to, after, until };
}
