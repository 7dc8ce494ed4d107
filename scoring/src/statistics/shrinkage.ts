import { type Bounds, boundedInterval, type Interval } from "./intervals.ts";

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
  readonly agents: number;
  readonly mean: number;
  /** Of the scores of one agent. */
  readonly within: number;
  /** Of the true means of agents. */
  readonly between: number;
  /** Degrees of freedom of `within`. */
  readonly degrees: number;
}

/** With fewer agents, the variance between them cannot be told from chance. */
const fewestAgents = 4;

/**
 * Method of moments in the one-way random-effects model (ANOVA with unequal n): σ² = MSW; τ² = max(0, (MSB − MSW)/n₀),
 * n₀ = (N − Σnᵢ²/N)/(k − 1). Null: fewer than four agents, or nobody with two scores.
 */
export function groupVariances(group: GroupSums): GroupVariances | null {
  const { agents, count, total, squares, squaredCounts, squaredTotals } = group;
  if (agents < fewestAgents || count <= agents) return null;
  const mean = total / count;
  const within = Math.max(0, (squares - squaredTotals) / (count - agents));
  const betweenSquare = (squaredTotals - total * mean) / (agents - 1);
  const size = (count - squaredCounts / count) / (agents - 1);
  return { agents, mean, within, between: Math.max(0, (betweenSquare - within) / size), degrees: count - agents };
}

/** The variance of an agent's own mean: the larger of that within the group and that of their own scores. */
function varianceOfMean({ count, total, squares }: Sums, { within }: GroupVariances): number {
  const own = count < 2 ? 0 : (squares - total ** 2 / count) / (count - 1);
  return Math.max(within, own) / count;
}

/**
 * Empirical Bayes after Morris: m̂ = B·m + (1 − B)·x̄ with B = (k − 3)/(k − 1) · (σ²/n)/(σ²/n + τ²), the mean m of the k agents and the
 * agent's x̄. Its variance is (1 − (k − 1)/k · B)·V + 2/(k − 3) · B²·(x̄ − m)² with the variance V of x̄: the second term is for the
 * uncertainty of τ².
 */
export function shrunkMean(
  own: Sums,
  group: GroupVariances,
  bounds: Bounds,
): { readonly mean: number; readonly interval: Interval | null } {
  const { agents, degrees, mean: ofGroup, within, between } = group;
  const mean = own.total / own.count;
  const error = within / own.count;
  const weight = error === 0 ? 0 : ((agents - 3) / (agents - 1)) * (error / (error + between));
  const shrunk = weight * ofGroup + (1 - weight) * mean;
  const variance =
    (1 - ((agents - 1) / agents) * weight) * varianceOfMean(own, group) +
    (2 / (agents - 3)) * weight ** 2 * (mean - ofGroup) ** 2;
  return { mean: shrunk, interval: boundedInterval(shrunk, Math.sqrt(variance), { ...bounds, degrees }) };
}
