import { openTickets } from "@hearback/draws/tickets";
import { newUuidsV7 } from "../../platform/uuid-v7.ts";
import type { DrawRow } from "./find-draw.ts";

/**
 * What orders the queue and the choice of reviewers: independent of the tickets that decide what is drawn and what gets a second
 * review, which anyone can compute once the keys are published.
 */
export function openQueueTickets({ queueKey }: DrawRow): (kind: "first" | "second", callId: string) => Buffer {
  const ticketOf = openTickets(queueKey);
  return (kind, callId) => Buffer.from(ticketOf(`${kind}/${callId}`));
}

/** A random id with the time of the draw, whenever the assignment is made: the order of ids says nothing. */
export const newAssignmentId = ({ closedAt }: DrawRow): string => newUuidsV7(1, closedAt ?? undefined)[0] as string;
