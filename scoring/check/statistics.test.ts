import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Question } from "@hearback/scoring/question";
import { agreement } from "@hearback/scoring/statistics/agreement";
import {
  clusteredMeanInterval,
  type Interval,
  meanInterval,
  rateInterval,
} from "@hearback/scoring/statistics/intervals";
import { intraclassCorrelation } from "@hearback/scoring/statistics/intraclass-correlation";
import { groupVariances, shrunkMean } from "@hearback/scoring/statistics/shrinkage";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formulaSeed } from "./run-scale.ts";

const script = join(import.meta.dirname, "statistics.py");
const casesOfKind = 40;
const bounds = { lowest: 0, highest: 10_000 };
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const squares = (values: readonly number[]) => sum(values.map((value) => value ** 2));
const pairOf = (interval: Interval | null) => interval && [interval.low, interval.high];

/** Scores with few different values, so that equal ones and those at the ends are common. */
const score = fc.oneof(fc.constantFrom(0, 5000, 8735, 10_000), fc.nat(10_000));
const scores = fc.array(score, { minLength: 1, maxLength: 30 });
const yesNo = Question.parse({ id: "q", title: "Q", type: "yes_no" });

function clusteredOf(clusters: readonly (readonly number[])[]) {
  return pairOf(
    clusteredMeanInterval(
      {
        clusters: clusters.length,
        count: sum(clusters.map(({ length }) => length)),
        total: sum(clusters.map(sum)),
        squaredTotals: squares(clusters.map(sum)),
        products: sum(clusters.map((cluster) => cluster.length * sum(cluster))),
        squaredCounts: squares(clusters.map(({ length }) => length)),
      },
      bounds,
    ),
  );
}

const sumsOf = (values: readonly number[]) => ({
  count: values.length,
  total: sum(values),
  squares: squares(values),
});

function shrunkOf(agents: readonly (readonly number[])[]) {
  const group = groupVariances({
    ...sumsOf(agents.flat()),
    agents: agents.length,
    squaredCounts: squares(agents.map(({ length }) => length)),
    squaredTotals: sum(agents.map((own) => sum(own) ** 2 / own.length)),
  });
  if (!group) return null;
  const { mean, interval } = shrunkMean(sumsOf(agents[0] ?? []), group, bounds);
  return [mean, pairOf(interval)];
}

/** Random inputs of a statistic, each with its result. */
const sample = <Input extends object>(
  kind: string,
  inputs: fc.Arbitrary<Input>,
  calculate: (input: Input) => unknown,
) =>
  fc
    .sample(inputs, { numRuns: casesOfKind, seed: formulaSeed })
    .map((input) => ({ input: { kind, ...input }, result: calculate(input) }));

const cases = [
  ...sample(
    "rate",
    fc.nat(200).chain((trials) => fc.record({ trials: fc.constant(trials + 1), successes: fc.nat(trials + 1) })),
    ({ successes, trials }) => pairOf(rateInterval(successes, trials)),
  ),
  ...sample("mean", fc.record({ values: scores }), ({ values }) =>
    pairOf(meanInterval(values.length, sum(values), squares(values), bounds)),
  ),
  ...sample(
    "clustered",
    fc.record({ clusters: fc.array(fc.array(score, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 }) }),
    ({ clusters }) => clusteredOf(clusters),
  ),
  ...sample(
    "jackknife",
    fc.record({
      calls: fc.array(fc.array(fc.constantFrom("yes", "yes", "no"), { minLength: 2, maxLength: 5 }), {
        minLength: 2,
        maxLength: 20,
      }),
    }),
    ({ calls }) => {
      const { answer } = agreement(
        yesNo,
        calls.map((answers) => answers.map((value) => ({ value }))),
      );
      return pairOf(answer?.raw.interval ?? null);
    },
  ),
  ...sample("shrunk", fc.record({ agents: fc.array(scores, { minLength: 1, maxLength: 9 }) }), ({ agents }) =>
    shrunkOf(agents),
  ),
  ...sample(
    "correlation",
    fc.tuple(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 2, max: 5 })).chain(([calls, raters]) =>
      fc.record({
        table: fc.array(fc.array(score, { minLength: raters, maxLength: raters }), {
          minLength: calls,
          maxLength: calls,
        }),
      }),
    ),
    ({ table }) => intraclassCorrelation(table),
  ),
];

test(`statistics agree with the Python implementation on ${cases.length} random inputs (FORMULA_SEED=${formulaSeed})`, () => {
  const input = cases.map((each) => JSON.stringify(each.input)).join("\n");
  const { stdout, status, stderr, error } = spawnSync("python3", [script], { input, encoding: "utf8" });
  if (status !== 0) throw error ?? new Error(`statistics.py failed: ${stderr}`);
  const inPython = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(inPython.length).toBe(cases.length);
  for (const [at, { input: given, result }] of cases.entries()) {
    const [own, other] = [[result].flat(2), [inPython[at]].flat(2)];
    expect(own.length, JSON.stringify(given)).toBe(other.length);
    for (const [place, value] of own.entries()) {
      if (value === null || other[place] === null) expect(value, JSON.stringify(given)).toBe(other[place]);
      else expect(Math.abs(Number(value) - other[place]), JSON.stringify(given)).toBeLessThan(1e-4);
    }
  }
});
