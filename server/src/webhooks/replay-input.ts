import type { ReplayFields } from "@hearback/contract";
import { type Position, parseEventId } from "../events/event-id.ts";
import { wrongCursor } from "../events/list-events.ts";
import { AppError } from "../platform/errors.ts";
import type { ReplayInput } from "./replay-events.ts";

function refuse(part: string, code: string, detail: string): never {
  throw new AppError("fields_invalid", detail, { issues: [{ part, code, detail }] });
}

function position(part: string, id: string | undefined): Position | undefined {
  if (id === undefined) return undefined;
  const found = parseEventId(id);
  if (!found) throw wrongCursor(part);
  return found;
}

/** What the fields ask for: one event, or a range with a beginning. */
export function toReplayInput(fields: ReplayFields): ReplayInput {
  const { event_id: eventId, from, to, after, until } = fields;
  const event = position("event_id", eventId);
  if (event) {
    if (from || to || after || until) refuse("event_id", "too_much", "event_id stands alone: leave the others out.");
    return { event };
  }
  if (!from && !after) {
    const detail = "Say what to replay: event_id for one event; or from or after, with to or until if it is to end.";
    refuse(to ? "from" : until ? "after" : "event_id", "missing", detail);
  }
  if (from && to && from >= to) refuse("to", "before_from", "to must be later than from.");
  return { from, to, after: position("after", after), until: position("until", until) };
}
