import fc from "fast-check";
import type { Answer, Answers } from "../answers.ts";
import type { Condition } from "../condition.ts";
import { ScorecardDocument, type ScorecardInput, type Section } from "../document.ts";
import type { Question } from "../question.ts";
import { optionsOf } from "../question-points.ts";

/** A scorecard and answers to it, not necessarily complete or valid. */
export interface ScoredCase {
  readonly document: ScorecardDocument;
  readonly answers: Answers;
}

/**
 * `small` has few points and weights. `ties` has equal weights and points that divide by 32 or 160, so that many scores are
 * exactly between two hundredths. `any` uses the full range. `unscored` hardly has weights.
 */
type Profile = "small" | "ties" | "any" | "unscored";

/** A value in this percentage of cases, otherwise undefined. */
const optional = <Value>(arbitrary: fc.Arbitrary<Value>, percentage: number): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ arbitrary, weight: percentage }, { arbitrary: fc.constant(undefined), weight: 100 - percentage });

const fails = optional(fc.constantFrom("call" as const, "section" as const), 10);

const pointsIn = (profile: Profile): fc.Arbitrary<number> =>
  ({
    small: fc.nat({ max: 3 }),
    ties: fc.oneof(fc.constantFrom(32, 160), fc.nat({ max: 31 })),
    any: fc.nat({ max: 1000 }),
    unscored: fc.nat({ max: 3 }),
  })[profile];

const weightIn = (profile: Profile): fc.Arbitrary<number | undefined> =>
  ({
    small: optional(fc.nat({ max: 20 }), 85),
    ties: fc.constant(1),
    any: optional(fc.nat({ max: 100 }), 85),
    unscored: optional(fc.nat({ max: 3 }), 10),
  })[profile];

/** Positions are taken modulo the number of earlier questions and their options, so that most conditions can be true. */
interface RawCondition {
  readonly earlier: number;
  readonly values: readonly number[];
  readonly inside: readonly RawCondition[] | undefined;
  readonly any: boolean;
}

const rawCondition = (levels: number): fc.Arbitrary<RawCondition> =>
  fc.record({
    earlier: fc.nat({ max: 20 }),
    values: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 3 }),
    inside: levels === 0 ? fc.constant([]) : optional(fc.array(rawCondition(levels - 1), { maxLength: 3 }), 30),
    any: fc.boolean(),
  });

const rawQuestion = (profile: Profile) =>
  fc.record({
    letter: fc.constantFrom("a", "k", "z"),
    type:
      profile === "ties"
        ? fc.constantFrom("choice", "scale")
        : fc.constantFrom("yes_no", "yes_no", "choice", "choice", "scale", "multiple", "number", "text"),
    weight: weightIn(profile),
    not_applicable: fc.boolean(),
    tags: fc.subarray(["compliance", "soft_skills", "process"]),
    when: optional(rawCondition(2), 30),
    yes: fails,
    no: fails,
    options: fc.array(fc.record({ points: optional(pointsIn(profile), 85), fails }), { minLength: 1, maxLength: 5 }),
    maxPoints: optional(pointsIn(profile), 50),
    bands: optional(
      fc.array(
        fc.record({
          from: optional(fc.nat({ max: 9 }), 70),
          size: optional(fc.nat({ max: 5 }), 70),
          points: pointsIn(profile),
        }),
        { maxLength: 4 },
      ),
      80,
    ),
    answer: rawAnswer,
  });

const rawAnswer = fc.record({
  kind: fc.constantFrom(...Array<"value">(10).fill("value"), "not_applicable", "none", "invalid"),
  picks: fc.array(fc.nat({ max: 4 }), { maxLength: 5 }),
  number: fc.oneof(fc.nat({ max: 15 }), fc.double({ min: -2, max: 15, noNaN: true })),
});

type RawQuestion = typeof rawQuestion extends (profile: Profile) => fc.Arbitrary<infer Raw> ? Raw : never;

const rawDocument = (profile: Profile) =>
  fc.record({
    passing: fc.oneof(fc.constantFrom(0, 5000, 8000, 10_000), fc.nat({ max: 10_000 })),
    not_applicable: fc.constantFrom("stays_in_section" as const, "spreads_over_form" as const),
    fail: fc.constantFrom("zeroes_score" as const, "keeps_score" as const),
    sections: fc.array(
      fc.record({
        weight:
          profile === "ties" ? fc.constant(undefined) : optional(fc.oneof(fc.constant(0), fc.nat({ max: 50 })), 40),
        questions: fc.array(rawQuestion(profile), { minLength: 1, maxLength: profile === "ties" ? 8 : 5 }),
      }),
      { minLength: 1, maxLength: profile === "ties" ? 2 : 4 },
    ),
  });

function toCondition(raw: RawCondition, earlier: readonly Question[]): Condition {
  if (raw.inside && raw.inside.length > 0) {
    const inside = raw.inside.map((each) => toCondition(each, earlier));
    return raw.any ? { any: inside } : { all: inside };
  }
  // Positions past the end refer to a question that does not exist.
  const question = earlier[raw.earlier % (earlier.length + 1)];
  const ids = question ? optionsOf(question).map((option) => option.id) : [];
  const values = raw.values.map((value) => ids[value % ids.length] ?? "unknown");
  return { question: question?.id ?? "unknown", is: [...new Set(values)] };
}

/** Removes members that are undefined: JSON has none. */
const compact = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value;

const effect = (fails: "call" | "section" | undefined) => (fails ? { fails } : undefined);

function toQuestion(raw: RawQuestion, number: number, earlier: readonly Question[]): Question {
  const shared = compact({
    id: `${raw.letter}${number}`,
    title: `Question ${number}`,
    type: raw.type,
    not_applicable: raw.not_applicable,
    when: raw.when && toCondition(raw.when, earlier),
  });
  if (raw.type === "text") return shared as Question;
  const scored = compact({ ...shared, weight: raw.weight, tags: raw.tags });
  if (raw.type === "yes_no") return compact({ ...scored, yes: effect(raw.yes), no: effect(raw.no) }) as Question;
  if (raw.type === "number") {
    const bands = raw.bands?.map(({ from, size, points }) =>
      compact({ from, to: size === undefined ? undefined : (from ?? 0) + size, points }),
    );
    return compact({ ...scored, bands }) as Question;
  }
  const options = raw.options.map((option, index) => compact({ id: `o${index}`, label: `Option ${index}`, ...option }));
  const max_points = raw.type === "multiple" && raw.maxPoints ? raw.maxPoints : undefined;
  return compact({ ...scored, options, max_points }) as Question;
}

function toAnswer(raw: RawQuestion["answer"], question: Question): Answer | undefined {
  if (raw.kind === "none") return undefined;
  if (raw.kind === "not_applicable") return { not_applicable: true };
  if (raw.kind === "invalid") return { value: raw.picks.length % 2 === 0 ? "unknown" : 3 };
  if (question.type === "number") return { value: raw.number };
  if (question.type === "text") return { value: "Some text" };
  const ids = optionsOf(question).map((option) => option.id);
  const picked = [...new Set(raw.picks.map((pick) => ids[pick % ids.length] ?? "unknown"))];
  return { value: question.type === "multiple" ? picked : (picked[0] ?? ids[0] ?? "unknown") };
}

function toCase(raw: ReturnType<typeof rawDocument> extends fc.Arbitrary<infer Raw> ? Raw : never): ScoredCase {
  const earlier: Question[] = [];
  const answers: Answers = {};
  const sections = raw.sections.map(({ weight, questions }, index): Section => {
    const built = questions.map((rawEach) => {
      const question = toQuestion(rawEach, earlier.length, earlier);
      earlier.push(question);
      const answer = toAnswer(rawEach.answer, question);
      if (answer) answers[question.id] = answer;
      return question;
    });
    return compact({ id: `section_${index}`, title: `Section ${index}`, weight, questions: built });
  });
  const input: ScorecardInput = {
    format: "hearback.scorecard/1",
    name: "Random",
    passing_score: raw.passing / 100,
    not_applicable: raw.not_applicable,
    fail: raw.fail,
    sections,
  };
  return { document: ScorecardDocument.parse(input), answers };
}

/** Scorecards with conditions, fails, caps, bands and ties, and answers of every kind. */
export const arbitraryCase: fc.Arbitrary<ScoredCase> = fc
  .constantFrom<Profile>("small", "small", "ties", "ties", "any", "any", "unscored")
  .chain((profile) => rawDocument(profile))
  .map(toCase);
