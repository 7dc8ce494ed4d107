import { type Items, paged } from "./pages.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { PlanBody, PlanInput, PlanPageBody, PlanPreviewBody } from "./wire.ts";

export interface ListPlans extends RequestOptions {
  /** true: also plans that have ended. */
  readonly ended?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export function openPlans(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListPlans) => transport.json<PlanPageBody>({ method: "GET", path: "/plans", query, signal }),
    ({ plans, next }) => ({ items: plans, next }),
  );
  return {
    /** Plans, newest first. */
    list: (filter: ListPlans = {}): Items<PlanBody> => list.all(filter),
    page: (filter: ListPlans = {}): Promise<PlanPageBody> => list.page(filter),
    find: (id: string, options: RequestOptions = {}): Promise<PlanBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    /** The first period begins now. */
    create: (plan: PlanInput, options: RequestOptions = {}): Promise<PlanBody> =>
      transport.json({ method: "POST", path: "/plans", body: plan, ...options }),
    /** Counts the calls that would have matched, and the reviews of a draw. */
    preview: (plan: Partial<PlanInput>, options: RequestOptions = {}): Promise<PlanPreviewBody> =>
      transport.json({ method: "POST", path: "/plans/preview", body: plan, ...options }),
    /** New rules apply from the next period on. */
    change: (id: string, change: Partial<PlanInput>, options: RequestOptions = {}): Promise<PlanBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: change, ...options }),
    /** Ends the plan after its current period. */
    end: (id: string, options: RequestOptions = {}): Promise<PlanBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: { ended: true }, ...options }),
  };
}
export type Plans = ReturnType<typeof openPlans>;

const pathOf = (id: string) => `/plans/${encodeURIComponent(id)}`;
