import { setTimeout as sleep } from "node:timers/promises";
import type { ReviewDetailBody } from "@hearback/contract";
import type { Answer } from "../../support/http/http.ts";
import { callParts, postCall } from "../../support/http/service.ts";
import type { Refusal } from "../../support/load/load.ts";
import { makeWav } from "../../support/recordings/sounds.ts";
import type { Person, ReviewTests } from "./review-tests.ts";

/** Acknowledged requests of one review. */
export interface Acknowledged {
  readonly answers: Record<string, unknown>;
  isSubmitted: boolean;
  isReleased: boolean;
  isDisputed: boolean;
  isResolved: boolean;
}

/** Reviewers who review continuously, a supervisor who releases and decides, and an agent who disputes. */
export interface ReviewLoad {
  readonly acknowledged: ReadonlyMap<string, Acknowledged>;
  count(what: (known: Acknowledged) => boolean): number;
  /** Responses that a repeated request cannot explain. */
  readonly unexpected: readonly string[];
  /** Requests that were repeated: 503, or 0 if the connection ended without a response. */
  readonly refusals: readonly Refusal[];
  /** Start of the last successful request of each reviewer. */
  readonly lastGood: readonly number[];
  /** Lets everybody finish the current review. */
  stop(): Promise<void>;
  /** Stops everybody, for cleanup after a failed test. */
  abandon(): void;
}

interface Options {
  readonly reviewers: number;
  /** Random number in [0, 1). */
  readonly chance: () => number;
  /** Pause of a reviewer after a review; default: none. */
  readonly pause?: () => Promise<void>;
}

/** Starts the load. Every request is repeated until the service answers. */
export async function startReviewLoad(tests: ReviewTests, { reviewers, chance, pause }: Options): Promise<ReviewLoad> {
  const acknowledged = new Map<string, Acknowledged>();
  const unexpected: string[] = [];
  const refusals: Refusal[] = [];
  const lastGood = Array.from({ length: reviewers }, () => 0);
  let isOver = false;
  let isAbandoned = false;

  async function persist<Body>(request: () => Promise<Answer<Body>>, reviewer?: number): Promise<Answer<Body>> {
    while (!isAbandoned) {
      const begun = Date.now();
      const answer = await request().catch((error: unknown) => String(error));
      if (typeof answer !== "string" && answer.status !== 503) {
        if (reviewer !== undefined && answer.status < 300) lastGood[reviewer] = begun;
        return answer;
      }
      const ms = Date.now() - begun;
      refusals.push(
        typeof answer === "string"
          ? { status: 0, retryAfter: undefined, text: answer, ms }
          : { status: answer.status, retryAfter: answer.headers["retry-after"], text: answer.text, ms },
      );
      await sleep(20 + chance() * 60);
    }
    throw new Error("the load was abandoned");
  }

  function expectStatus({ status, text }: Answer<unknown>, ...allowed: number[]): void {
    if (!allowed.includes(status)) unexpected.push(`${status} ${text}`);
  }

  /** Reviews one call after the other: every answer is changed once. */
  async function reviewCalls({ ask }: Person, agent: Person, reviewer: number): Promise<void> {
    while (!isOver) {
      const parts = callParts(tests.service, { agent_email: agent.email, file: makeWav() });
      const imported = await persist(() => postCall(tests.service, parts), reviewer);
      expectStatus(imported, 200);
      const body = { call_id: imported.body.id, scorecard_id: tests.scorecardId };
      const started = await persist(() => ask<ReviewDetailBody>("POST", "/reviews", { body }), reviewer);
      expectStatus(started, 200, 201);
      const { id } = started.body;
      const known: Acknowledged = {
        answers: {},
        isSubmitted: false,
        isReleased: false,
        isDisputed: false,
        isResolved: false,
      };
      acknowledged.set(id, known);
      let { number } = started.body;
      for (const [question, value] of [
        ["greeting", "yes"],
        ["identity", "yes"],
        ["greeting", "no"],
      ] as const) {
        const answer = { value, comment: `Answer ${number}` };
        const saved = await persist(
          () => ask<{ number: number }>("PUT", `/reviews/${id}/answers/${question}`, { body: answer, ifMatch: number }),
          reviewer,
        );
        expectStatus(saved, 200);
        known.answers[question] = answer;
        number = saved.body.number;
      }
      const submitted = await persist(() => ask("POST", `/reviews/${id}/submit`, { ifMatch: number }), reviewer);
      expectStatus(submitted, 200);
      known.isSubmitted = true;
      await pause?.();
    }
  }

  /** Releases what was submitted, and decides disputes. */
  async function supervise({ ask }: Person): Promise<void> {
    while (!isOver) {
      for (const [id, known] of [...acknowledged]) {
        if (isOver) return;
        if (known.isSubmitted && !known.isReleased) {
          // 409: an earlier attempt succeeded.
          expectStatus(await persist(() => ask("POST", `/reviews/${id}/release`)), 200, 409);
          known.isReleased = true;
        }
        if (known.isDisputed && !known.isResolved) await decide(ask, id, known);
      }
      await sleep(20);
    }
  }

  async function decide(ask: Person["ask"], reviewId: string, known: Acknowledged): Promise<void> {
    const listed = await persist(() => ask<{ disputes: { id: string }[] }>("GET", `/disputes?review_id=${reviewId}`));
    const [dispute] = listed.body.disputes;
    if (dispute) {
      const items = [{ question_id: "greeting", decision: "changed", explanation: "Heard again." }];
      expectStatus(await persist(() => ask("POST", `/disputes/${dispute.id}/resolve`, { body: { items } })), 200, 409);
    }
    known.isResolved = true;
  }

  /** Acknowledges and disputes every other released review. */
  async function respond({ ask }: Person): Promise<void> {
    let turn = 0;
    const done = new Set<string>();
    while (!isOver) {
      for (const [id, known] of [...acknowledged]) {
        if (isOver) return;
        if (!known.isReleased || done.has(id)) continue;
        done.add(id);
        expectStatus(await persist(() => ask("POST", `/reviews/${id}/acknowledge`, { body: {} })), 200);
        if (turn++ % 2 === 0) continue;
        const items = [{ question_id: "greeting", proposed: { value: "yes" }, reason: "At 0:04." }];
        expectStatus(await persist(() => ask("POST", `/reviews/${id}/disputes`, { body: { items } })), 201, 409);
        known.isDisputed = true;
      }
      await sleep(20);
    }
  }

  const agent = await tests.person("agent");
  const supervisor = await tests.person("supervisor");
  const people = await Promise.all(lastGood.map(() => tests.person("reviewer")));
  const work = [
    ...people.map((person, reviewer) => reviewCalls(person, agent, reviewer)),
    supervise(supervisor),
    respond(agent),
  ];
  const all = Promise.all(work);
  // stop() reports the error. Until then it must not be an unhandled rejection.
  all.catch(() => {});
  return {
    acknowledged,
    count: (what) => [...acknowledged.values()].filter(what).length,
    unexpected,
    refusals,
    lastGood,
    async stop() {
      isOver = true;
      await all;
    },
    abandon() {
      isOver = true;
      isAbandoned = true;
    },
  };
}
