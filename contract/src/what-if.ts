import { z } from "zod";
import { ActorRef } from "./actor.ts";
import { cursor, exampleOf, integerUpTo, next } from "./page.ts";
import { Score } from "./reviews.ts";
import { DraftDocument } from "./scorecards.ts";
import { Time } from "./time.ts";

export const whatIfStates = ["queued", "running", "done", "failed", "cancelled"] as const;
export type WhatIfState = (typeof whatIfStates)[number];

export const StartWhatIfBody = z
  .strictObject({
    from: Time.meta({ description: "Reviews that were started at or after this time." }),
    to: Time.optional().meta({ description: "Reviews that were started before this time. Default: now." }),
    document: DraftDocument.optional().meta({
      description: "The changed scorecard. It is not saved as a draft. Default: the draft.",
    }),
  })
  .meta({ id: "StartWhatIf", examples: [{ from: "2026-08-23T00:00:00Z", to: "2026-11-15T00:00:00Z" }] });

const Count = z.int().min(0);
const crossings = {
  changed: Count.meta({ description: "Reviews with another score or outcome." }),
  passed_to_failed: Count,
  failed_to_passed: Count,
  not_comparable: Count.meta({
    description: "Reviews whose answers do not fit: a question is new or removed, or its answer is no longer valid.",
  }),
};

const Side = z
  .object({
    mean: Score,
    scored: Count,
    passed: Count,
    failed: Count,
    not_scored: Count,
    bins: z
      .array(Count)
      .meta({ description: "Reviews by score, in 20 steps of 5 points: 0 to below 5, …, 95 to 100." }),
  })
  .meta({ id: "WhatIfSide" });

const Part = z
  .object({
    kind: z.enum(["question", "section", "setting"]),
    id: z.string().meta({ description: "The id of the question or section, or the name of the setting." }),
    title: z.string(),
    change: z.enum(["added", "removed", "moved", "changed"]),
    mean_change: z.int().nullable().meta({
      description: "Mean change of the score in hundredths, if this were the only difference. null: no scores.",
    }),
    ...crossings,
  })
  .meta({ id: "WhatIfPart" });

const Crossing = z
  .object({
    review_id: z.uuid(),
    call_id: z.uuid(),
    agent_id: z.uuid(),
    to: z.enum(["failed", "passed"]),
    before: Score,
    after: Score,
  })
  .meta({ id: "WhatIfCrossing" });

const Result = z
  .object({
    reviews: Count,
    older_versions: Count.meta({ description: "Reviews on older versions. They are replayed on the latest one, too." }),
    ...crossings,
    before: Side.meta({ description: "On the published version." }),
    after: Side.meta({ description: "On the changed scorecard." }),
    parts: z.array(Part).meta({
      description:
        "The differences, each applied alone. Those with the largest effect come first. Effects do not add up.",
    }),
    crossings: z
      .array(Crossing)
      .meta({ description: "The newest reviews with another outcome, at most 100 in each direction." }),
  })
  .meta({ id: "WhatIfResult" });

const WhatIfItem = z
  .object({
    id: z.uuid(),
    scorecard: z.object({ id: z.uuid(), version: z.int() }).meta({ description: "The published version." }),
    draft_number: z.int().nullable().meta({ description: "null: the document was sent with the request." }),
    digest: z
      .string()
      .meta({ description: "SHA-256 of the canonical JSON (RFC 8785) of the changed document, in hex." }),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    state: z.enum(whatIfStates),
    reviews: Count.nullable().meta({ description: "Reviews to replay. null: not counted yet." }),
    complete: z.boolean().meta({ description: "false: there are more. The newest 200,000 are replayed." }),
    replayed: Count.meta({ description: "Reviews replayed so far." }),
    requested_by: ActorRef,
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({
    id: "WhatIfItem",
    examples: [
      {
        id: "0190f3c2-6c0b-7d6e-9b0e-4d0f6a3b1f2c",
        scorecard: { id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f", version: 3 },
        draft_number: 4,
        digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        from: "2026-08-23T00:00:00.000Z",
        to: "2026-11-15T00:00:00.000Z",
        state: "done",
        reviews: 1,
        complete: true,
        replayed: 1,
        requested_by: { type: "user", id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d" },
        created_at: "2026-11-15T08:00:00.000Z",
        started_at: "2026-11-15T08:00:01.000Z",
        ended_at: "2026-11-15T08:00:02.000Z",
      },
    ],
  });

export const WhatIfBody = WhatIfItem.extend({
  result: Result.nullable().meta({ description: "null: the run is not done." }),
}).meta({
  id: "WhatIf",
  // Without a result, which would make openapi.json too large.
  examples: [{ ...exampleOf(WhatIfItem), state: "running", ended_at: null, result: null }],
});
export type WhatIfBody = z.output<typeof WhatIfBody>;

export const WhatIfPageBody = z
  .object({ what_ifs: z.array(WhatIfItem), next })
  .meta({ id: "WhatIfPage", examples: [{ what_ifs: [exampleOf(WhatIfItem)], next: null }] });
export type WhatIfPageBody = z.output<typeof WhatIfPageBody>;

export const ListWhatIfsQuery = z.object({ cursor, limit: integerUpTo(100, 20) });
