import type { DrawBody, PlanBody } from "@hearback/sdk";

type Plan = Pick<PlanBody, "id" | "reviewers">;
type Draw = Pick<DrawBody, "plan" | "state" | "closes_at">;

/** The earliest draw that is still to come, of the plans that a person reviews for. */
export function nextDrawAt(plans: readonly Plan[], draws: readonly Draw[], reviewerId: string): string | null {
  const own = new Set(
    plans.filter(({ reviewers }) => reviewers.some(({ user_id }) => user_id === reviewerId)).map(({ id }) => id),
  );
  const times = draws.filter(({ plan, state }) => state !== "drawn" && own.has(plan.id)).map((draw) => draw.closes_at);
  return times.sort()[0] ?? null;
}
