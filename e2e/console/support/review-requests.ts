import { callerHeaders } from "../../support/http/caller.ts";
import { send } from "../../support/http/http.ts";
import { cookieOf, sendJson } from "../../support/http/users.ts";
import type { Console, Person } from "./console.ts";

/** Sends JSON as a signed-in person. Fails unless the response is a success. */
export type Ask = <Body>(method: string, path: string, body?: unknown, ifMatch?: number) => Promise<Body>;

export async function openSession({ api }: Pick<Console, "api">, { email, password }: Person): Promise<Ask> {
  const origin = { origin: api.baseUrl };
  const headers = callerHeaders(
    cookieOf(await sendJson(`${api.baseUrl}/session`, { email, password }, origin)),
    api.baseUrl,
  );
  return async <Body>(method: string, path: string, body?: unknown, ifMatch?: number) => {
    const answer = await send<Body>(api.baseUrl + path, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(ifMatch !== undefined && { "if-match": `"${ifMatch}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
}

interface Question {
  readonly id: string;
  readonly type: string;
  readonly options?: readonly { readonly id: string; readonly points?: number }[];
}

interface Scorecard {
  readonly id: string;
  readonly questions: readonly Question[];
}

/** Publishes the support template, with release by a supervisor. */
export async function publishScorecard(ask: Ask): Promise<Scorecard> {
  type Document = { readonly sections: readonly { readonly questions: readonly Question[] }[] };
  const created = await ask<{ id: string; draft_number: number; draft: { document: Document } }>(
    ...(["POST", "/scorecards", { template: "support", language: "en" }] as const),
  );
  const document = { ...created.draft.document, release: "by_supervisor", dispute_days: 14, dispute_levels: 2 };
  const path = `/scorecards/${created.id}`;
  await ask("PUT", `${path}/draft`, { document }, created.draft_number);
  await ask("POST", `${path}/publish`);
  return { id: created.id, questions: document.sections.flatMap(({ questions }) => questions) };
}

const bestAnswer = ({ type, options = [] }: Question): object => {
  if (type === "yes_no") return { value: "yes" };
  const [best] = options.toSorted((a, b) => (b.points ?? 0) - (a.points ?? 0));
  if (type === "multiple") return { value: options.map(({ id }) => id) };
  return type === "text" || type === "number" ? { not_applicable: true } : { value: best?.id };
};

interface Review {
  readonly scorecard: Scorecard;
  readonly callId: string;
  /** The review is for this calibration session. */
  readonly calibrationId?: string;
  /** Answers that are not the best ones. */
  readonly answers?: Readonly<Record<string, object>>;
  readonly comment?: string;
}

/** Starts a review and answers every question. */
export async function draftReview(ask: Ask, { scorecard, callId, calibrationId, answers = {}, comment }: Review) {
  const session = calibrationId && { calibration_id: calibrationId };
  const start = { call_id: callId, scorecard_id: scorecard.id, ...session };
  let { id, number } = await ask<{ id: string; number: number }>("POST", "/reviews", start);
  const path = `/reviews/${id}`;
  const save = async (method: string, to: string, body: object) => {
    ({ number } = await ask<{ number: number }>(method, to, body, number));
  };
  for (const question of scorecard.questions)
    await save("PUT", `${path}/answers/${question.id}`, answers[question.id] ?? bestAnswer(question));
  if (comment) await save("PATCH", path, { comment });
  return { id, number };
}

export async function submitReview(ask: Ask, review: Review): Promise<string> {
  const { id, number } = await draftReview(ask, review);
  await ask("POST", `/reviews/${id}/submit`, undefined, number);
  return id;
}
