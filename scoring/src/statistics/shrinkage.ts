import type { Interval } from "./intervals.ts";

/** Scores of one agent: how many, their sum, and the sum of their squares. */
export interface Sums {
  readonly count: number;
  readonly total: number;
  readonly squares: number;
}

/** Sums over the agents of a group, from which the variances within and between agents follow. */
export interface GroupSums extends Sums {
  readonly agents: number;
  /** Σ nᵢ² */
  readonly squaredCounts: number;
  /** Σ tᵢ²/nᵢ with the total tᵢ of agent i. */
  readonly squaredTotals: number;
}

export interface GroupVariances {
  readonly mean: number;
  /** Of the scores of one agent. */
  readonly within: number;
  /** Of the true means of agents. */
  readonly between: number;
  /** Of the mean of the group. */
  readonly ofMean: number;
}

const normalQuantile = 1.959_963_984_540_054;

/**
 * Method of moments in the one-way random-effects model (ANOVA with unequal n): σ² = MSW; τ² = max(0, (MSB − MSW)/n₀),
 * n₀ = (N − Σnᵢ²/N)/(k − 1). Null: fewer than two agents, or nobody with two scores.
 */
export function groupVariances(group: GroupSums): GroupVariances | null {
  const { agents, count, total, squares, squaredCounts, squaredTotals } = group;
  if (agents < 2 || count <= agents) return null;
  const mean = total / count;
  const within = Math.max(0, (squares - squaredTotals) / (count - agents));
  const betweenSquare = (squaredTotals - total * mean) / (agents - 1);
  const size = (count - squaredCounts / count) / (agents - 1);
  const between = Math.max(0, (betweenSquare - within) / size);
  return { mean, within, between, ofMean: (between * squaredCounts) / count ** 2 + within / count };
}

/**
 * Empirical Bayes: m̂ = B·m + (1 − B)·x̄ with B = (σ²/n)/(σ²/n + τ²), the group's mean m and the agent's x̄. Its variance is
 * (1 − B)·σ²/n + B²·Var(m).
 */
export function shrunkMean({ count, total }: Sums, group: GroupVariances): Interval & { readonly mean: number } {
  const own = total / count;
  const error = group.within / count;
  const weight = error + group.between === 0 ? 0 : error / (error + group.between);
  const mean = weight * group.mean + (1 - weight) * own;
  const margin = normalQuantile * Math.sqrt((1 - weight) * error + weight ** 2 * group.ofMean);
  return { mean, low: mean - margin, high: mean + margin };
}
