import type { Role } from "@hearback/contract";
import { callImporter } from "./import-calls.ts";
import type { TestApp } from "./test-app.ts";
import { createTestUser, signedIn } from "./users.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Two questions: 40 for the greeting, 60 for the identity, whose worst answer fails the call. */
export const aScorecard = {
  format: "hearback.scorecard/1",
  name: "Support call",
  passing_score: 80,
  not_applicable: "stays_in_section",
  fail: "zeroes_score",
  release: "by_supervisor",
  dispute_days: 14,
  dispute_levels: 2,
  sections: [
    {
      id: "call",
      title: "Call",
      questions: [
        { id: "greeting", title: "Greets", type: "yes_no", weight: 40, not_applicable: true },
        {
          id: "identity",
          title: "Verifies identity",
          type: "choice",
          weight: 60,
          options: [
            { id: "full", label: "Fully", points: 2 },
            { id: "partly", label: "Partly", points: 1, comment: "required" },
            { id: "no", label: "Not at all", points: 0, fails: "call", comment: "required" },
          ],
        },
      ],
    },
  ],
} as const;

export type Person = Awaited<ReturnType<typeof openPerson>>;

/** A signed-in user who sends JSON requests. */
export async function openPerson({ app, api, caller }: TestApp, role: Role) {
  const { id, email } = await createTestUser(app, caller.workspaceId, { role });
  const headers = await signedIn(api, email);
  async function ask(method: Method, url: string, body?: object, ifMatch?: number) {
    const answer = await api.inject({
      method,
      url,
      headers: { ...headers, ...(ifMatch !== undefined && { "if-match": `"${ifMatch}"` }) },
      ...(body && { payload: body }),
    });
    const isJson = /^application\/(problem\+)?json/.test(String(answer.headers["content-type"]));
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body };
  }
  return { id, email, ask };
}

/** People, a published scorecard, and the steps of a review over HTTP. */
export async function openReviewTests(service: TestApp) {
  const importCall = await callImporter(service);
  const people = {
    agent: await openPerson(service, "agent"),
    reviewer: await openPerson(service, "reviewer"),
    supervisor: await openPerson(service, "supervisor"),
    admin: await openPerson(service, "admin"),
  };
  const { reviewer, supervisor, agent } = people;

  async function publish(document: object = aScorecard): Promise<string> {
    const created = await supervisor.ask("POST", "/scorecards", { document });
    const published = await supervisor.ask("POST", `/scorecards/${created.body.id}/publish`);
    if (published.status !== 201) throw new Error(JSON.stringify(published.body));
    return created.body.id;
  }
  const scorecardId = await publish();

  const importOf = (of: Pick<Person, "email"> = agent) => importCall({ agentEmail: of.email });

  async function start(by: Person = reviewer, callId?: string, scorecard = scorecardId) {
    const call_id = callId ?? (await importOf()).id;
    return by.ask("POST", "/reviews", { call_id, scorecard_id: scorecard });
  }

  /** Starts a review and answers every question. Returns the number of the draft. */
  async function answered(answers: Readonly<Record<string, object>> = {}, by: Person = reviewer, callId?: string) {
    const { body: review } = await start(by, callId);
    let { number } = review;
    const all = { greeting: { value: "no" }, identity: { value: "full" }, ...answers };
    for (const [question, answer] of Object.entries(all)) {
      const saved = await by.ask("PUT", `/reviews/${review.id}/answers/${question}`, answer, number);
      if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
      number = saved.body.number;
    }
    return { id: review.id as string, callId: review.call_id as string, number: number as number };
  }
  async function submitted(answers: Readonly<Record<string, object>> = {}, by: Person = reviewer, callId?: string) {
    const draft = await answered(answers, by, callId);
    const { status, body } = await by.ask("POST", `/reviews/${draft.id}/submit`, undefined, draft.number);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return { ...draft, number: body.number as number };
  }
  async function released(answers: Readonly<Record<string, object>> = {}, by: Person = reviewer, callId?: string) {
    const review = await submitted(answers, by, callId);
    await supervisor.ask("POST", `/reviews/${review.id}/release`);
    return review;
  }
  const dispute = (id: string, item: object = {}) =>
    agent.ask("POST", `/reviews/${id}/disputes`, {
      items: [{ question_id: "greeting", proposed: { value: "yes" }, reason: "At 0:04.", ...item }],
    });
  return { ...people, scorecardId, publish, importOf, start, answered, submitted, released, dispute };
}
