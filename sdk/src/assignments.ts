import { type Items, paged } from "./pages.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { AssignmentBody, AssignmentPageBody, AssignmentState, QueueBody, SkipReason } from "./wire.ts";

export interface ListAssignments extends RequestOptions {
  readonly drawId?: string | undefined;
  /** "none": unassigned. */
  readonly reviewerId?: string | undefined;
  /** Default: open. */
  readonly state?: AssignmentState | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SkipAssignment extends RequestOptions {
  readonly reason: SkipReason;
  /** Required with the reason "other". */
  readonly note?: string | undefined;
}

export interface Reassign extends RequestOptions {
  /** Deletes the reviewer's draft although every question is answered. */
  readonly discardDraft?: boolean | undefined;
}

export function openAssignments(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListAssignments) =>
      transport.json<AssignmentPageBody>({ method: "GET", path: "/assignments", query, signal }),
    ({ assignments, next }) => ({ items: assignments, next }),
  );
  return {
    /** Open assignments in the order of the queue, others newest first. */
    list: (filter: ListAssignments = {}): Items<AssignmentBody> => list.all(filter),
    page: (filter: ListAssignments = {}): Promise<AssignmentPageBody> => list.page(filter),
    /** Returns the counts of your queue and the next call. */
    queue: (options: RequestOptions = {}): Promise<QueueBody> =>
      transport.json({ method: "GET", path: "/assignments/queue", ...options }),
    /** Skips a call that cannot be reviewed. */
    skip: (id: string, { reason, note = "", signal }: SkipAssignment): Promise<AssignmentBody> =>
      transport.json({ method: "POST", path: pathOf(id, "/skip"), body: { reason, note }, signal }),
    /** Gives the call to another reviewer of the plan. */
    handBack: (id: string, options: RequestOptions = {}): Promise<AssignmentBody> =>
      transport.json({ method: "POST", path: pathOf(id, "/hand-back"), ...options }),
    /** Gives the call to another reviewer and deletes the draft of the one before. */
    reassign: (id: string, reviewerId: string, { discardDraft, signal }: Reassign = {}): Promise<AssignmentBody> => {
      const body = { reviewer_id: reviewerId, ...(discardDraft && { discard_draft: true }) };
      return transport.json({ method: "PATCH", path: pathOf(id), body, signal });
    },
  };
}
export type Assignments = ReturnType<typeof openAssignments>;

const pathOf = (id: string, rest = "") => `/assignments/${encodeURIComponent(id)}${rest}`;
