import { expect, test } from "vitest";
import { Question } from "../question.ts";
import { agreement } from "./agreement.ts";
import { clusteredMeanInterval, type Interval, meanInterval, rateInterval } from "./intervals.ts";
import { sum } from "./ratings.ts";
import { groupVariances, type Sums, shrunkMean } from "./shrinkage.ts";

/* Every interval that is shown contains the true value in at least 94 of 100 samples, of these sizes and these shares of "yes". */

const sizes = [8, 15, 30, 100];
const shares = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97];
const atLeast = 0.94;
const bounds = { lowest: 0, highest: 10_000 };

/** Random numbers from 0 to 1, the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
const random = randomFrom(20_261_119);
const successes = (trials: number, share: number) => {
  let count = 0;
  for (let trial = 0; trial < trials; trial++) if (random() < share) count++;
  return count;
};
/** A normal value, from twelve uniform ones. */
const normal = (deviation: number) => {
  let total = -6;
  for (let n = 0; n < 12; n++) total += random();
  return total * deviation;
};

/** Share of the intervals that contain the truth. Samples without an interval show none. */
function coverage(samples: number, sample: () => { readonly interval: Interval | null; readonly truth: number }) {
  let [shown, covered] = [0, 0];
  for (let at = 0; at < samples; at++) {
    const { interval, truth } = sample();
    if (!interval) continue;
    shown++;
    if (interval.low <= truth && truth <= interval.high) covered++;
  }
  return covered / shown;
}

test.each(sizes)("rates of %i answers, calculated from all outcomes", (n) => {
  for (const share of shares) {
    let probability = (1 - share) ** n;
    let covered = 0;
    for (let yes = 0; yes <= n; yes++) {
      const { low, high } = rateInterval(yes, n) ?? { low: 1, high: 0 };
      if (low <= share && share <= high) covered += probability;
      probability *= ((n - yes) / (yes + 1)) * (share / (1 - share));
    }
    expect(covered, `${share}`).toBeGreaterThanOrEqual(atLeast);
  }
});

test.each(sizes)("mean scores of %i reviews of 1 to 10 questions", (n) => {
  for (const questions of [1, 3, 10])
    for (const share of [0.5, 0.7, 0.9, 0.97]) {
      const covered = coverage(Math.max(500, 24_000 / n), () => {
        let [total, squares] = [0, 0];
        for (let review = 0; review < n; review++) {
          const score = Math.round((successes(questions, share) / questions) * 10_000);
          total += score;
          squares += score ** 2;
        }
        return { interval: meanInterval(n, total, squares, bounds), truth: share * 10_000 };
      });
      expect(covered, `${questions} questions, ${share}`).toBeGreaterThanOrEqual(atLeast);
    }
});

test.each(sizes)("agreement in %i pairs of reviews of 10 questions, more or less difficult", (n) => {
  for (const share of [0.5, 0.7, 0.9, 0.97]) {
    const covered = coverage(1000, () => {
      const sums = { clusters: n, count: 0, total: 0, squaredTotals: 0, products: 0, squaredCounts: 0 };
      for (let pair = 0; pair < n; pair++) {
        const compared = 8 + Math.floor(random() * 5);
        const difficulty = Math.min(share, 1 - share) * (random() - 0.5);
        const total = successes(compared, share + difficulty) * 10_000;
        sums.count += compared;
        sums.total += total;
        sums.squaredTotals += total ** 2;
        sums.products += compared * total;
        sums.squaredCounts += compared ** 2;
      }
      return { interval: clusteredMeanInterval(sums, bounds), truth: share * 10_000 };
    });
    expect(covered, `${share}`).toBeGreaterThanOrEqual(atLeast);
  }
});

const spreads = [
  [0.5, 0.1],
  [0.7, 0.05],
  [0.9, 0.03],
  [0.97, 0.01],
] as const;
const truthsOf = (agents: number, share: number, spread: number) =>
  Array.from({ length: agents }, () => Math.min(0.999, share + normal(spread)));
/** Of `n` reviews of 10 questions. */
function sumsOf(n: number, truth: number): Sums {
  const scores = Array.from({ length: n }, () => successes(10, truth) * 1000);
  return { count: n, total: sum(scores), squares: sum(scores.map((score) => score ** 2)) };
}
function variancesOf(agents: readonly Sums[]) {
  const add = (of: (sums: Sums) => number) => sum(agents.map(of));
  return groupVariances({
    agents: agents.length,
    count: add(({ count }) => count),
    total: add(({ total }) => total),
    squares: add(({ squares }) => squares),
    squaredCounts: add(({ count }) => count ** 2),
    squaredTotals: add(({ total, count }) => total ** 2 / count),
  });
}

test.each(sizes)("shrunk means of teams of agents with %i reviews each", (n) => {
  for (const [share, spread] of spreads) {
    for (const agents of [4, 20]) {
      let [shown, covered] = [0, 0];
      for (let team = 0; team < 800 / agents; team++) {
        const truths = truthsOf(agents, share, spread);
        const own = truths.map((truth) => sumsOf(n, truth));
        const group = variancesOf(own);
        for (const [at, sums] of own.entries()) {
          const interval = group && shrunkMean(sums, group, bounds).interval;
          if (!interval) continue;
          shown++;
          const truth = (truths[at] ?? 0) * 10_000;
          if (interval.low <= truth && truth <= interval.high) covered++;
        }
      }
      expect(covered / shown, `${agents} agents, ${share}`).toBeGreaterThanOrEqual(atLeast);
    }
  }
});

/** Mean of the numbers by key. */
function meansBy(keys: readonly number[], values: readonly number[]): ReadonlyMap<number, number> {
  const groups = Map.groupBy(values.keys(), (at) => keys[at] ?? 0);
  return new Map([...groups].map(([key, places]) => [key, sum(places.map((at) => values[at] ?? 0)) / places.length]));
}

test.each([15, 30, 100])("severity of a reviewer with %i drawn reviews of 20 agents in 12 weeks", (n) => {
  for (const share of [0.5, 0.9, 0.97]) {
    // 95 % in large simulations. These are few samples, because each needs those of the other reviewers.
    const samples = Math.max(300, 15_000 / n);
    const covered = coverage(samples, () => {
      const truths = Array.from({ length: 20 }, () => Math.min(0.99, share + normal(0.03)));
      const draw = (count: number) => {
        const agents = Array.from({ length: count }, () => Math.floor(random() * 20));
        const weeks = Array.from({ length: count }, () => Math.floor(random() * 12));
        const scores = agents.map((agent) => successes(10, truths[agent] ?? 0) * 1000);
        return { agents, weeks, scores };
      };
      const [own, others] = [draw(n), draw(4 * n)];
      const [ofAgent, ofWeek] = [meansBy(others.agents, others.scores), meansBy(others.weeks, others.scores)];
      const ofAll = sum(others.scores) / others.scores.length;
      const clusters = new Map<number, number[]>();
      for (const [at, score] of own.scores.entries()) {
        const [agent, week] = [own.agents[at] ?? 0, own.weeks[at] ?? 0];
        const [meanOfAgent, meanOfWeek] = [ofAgent.get(agent), ofWeek.get(week)];
        if (meanOfAgent === undefined || meanOfWeek === undefined) continue;
        clusters.set(agent, [...(clusters.get(agent) ?? []), score - (meanOfAgent + meanOfWeek - ofAll)]);
      }
      const all = [...clusters.values()];
      const sums = {
        clusters: all.length,
        count: sum(all.map(({ length }) => length)),
        total: sum(all.map(sum)),
        squaredTotals: sum(all.map((cluster) => sum(cluster) ** 2)),
        products: sum(all.map((cluster) => cluster.length * sum(cluster))),
        squaredCounts: sum(all.map(({ length }) => length ** 2)),
      };
      return { interval: clusteredMeanInterval(sums, { lowest: -10_000, highest: 10_000 }), truth: 0 };
    });
    expect(covered, `${share}`).toBeGreaterThanOrEqual(atLeast - 2 * Math.sqrt((atLeast * (1 - atLeast)) / samples));
  }
});

const yesNo = Question.parse({ id: "q", title: "Q", type: "yes_no" });

test.each(sizes)("raw agreement and AC1 of %i calls with two answers", (n) => {
  const error = 0.1;
  for (const share of [0.5, 0.9, 0.97]) {
    const equal = error ** 2 + (1 - error) ** 2;
    const yes = share * (1 - error) + (1 - share) * error;
    const byChance = 2 * yes * (1 - yes);
    const truths = { raw: equal, ac: (equal - byChance) / (1 - byChance) };
    const samples = Array.from({ length: 500 }, () => {
      const answer = (isYes: boolean) => ({ value: isYes !== random() < error ? "yes" : "no" });
      const calls = Array.from({ length: n }, () => {
        const isYes = random() < share;
        return [answer(isYes), answer(isYes)];
      });
      return agreement(yesNo, calls).answer;
    });
    for (const figure of ["raw", "ac"] as const) {
      let at = 0;
      const covered = coverage(samples.length, () => ({
        interval: samples[at++]?.[figure].interval ?? null,
        truth: truths[figure],
      }));
      expect(covered, `${figure}, ${share}`).toBeGreaterThanOrEqual(atLeast);
    }
  }
});

test.each(sizes.flatMap((n) => [200, 20_000].map((agents) => [n, agents] as const)))(
  "shrunk means of agents with %i reviews each, in a group of %i of whom 60 are read",
  (n, agents) => {
    for (const [share, spread] of spreads) {
      const samples = n > 15 ? 1000 : 4000;
      const truths = truthsOf(agents, share, spread);
      const anyAgent = () => truths[Math.floor(random() * agents)] ?? 0;
      let group = variancesOf([]);
      let at = 0;
      // 20 agents of the group for each sample of 60.
      const covered = coverage(samples, () => {
        if (at++ % 20 === 0) group = variancesOf(Array.from({ length: 60 }, () => sumsOf(n, anyAgent())));
        const truth = anyAgent();
        return { interval: group && shrunkMean(sumsOf(n, truth), group, bounds).interval, truth: truth * 10_000 };
      });
      // With so few reviews so near the bound, 92 % also if all agents of the group are read.
      const expected = n === 8 && share === 0.97 ? 0.9 : atLeast;
      expect(covered, `${share}`).toBeGreaterThanOrEqual(
        expected - 2 * Math.sqrt((expected * (1 - expected)) / samples),
      );
    }
  },
);
