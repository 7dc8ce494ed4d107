import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ReviewDetailBody, ScorecardBody } from "@hearback/contract";
import type { Answer, Answers } from "@hearback/scoring/answers";
import { checkAnswers } from "@hearback/scoring/check-answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { template } from "@hearback/scoring/templates";
import { visibleQuestions } from "@hearback/scoring/visibility";
import { type Demo, publicUrl, serverCommand } from "./demo.ts";

type Question = ScorecardDocument["sections"][number]["questions"][number];
type Method = "GET" | "POST" | "PUT" | "PATCH";

export interface Person {
  readonly id: string;
  readonly ask: <Body>(method: Method, path: string, body?: object, ifMatch?: number) => Promise<Body>;
}

const run = promisify(execFile);
/** People of the demo who can sign in, all with the password of its administrator. */
export const demoPeople = {
  reviewers: ["rita@example.com", "sam@example.com"],
  supervisor: "sofia@example.com",
  agent: "ann@example.com",
};
const names: Readonly<Record<string, string>> = { rita: "Rita Moreau", sam: "Sam Okoro", sofia: "Sofia Lindqvist" };

/**
 * Publishes the support scorecard and reviews thirty calls on it: some acknowledged, one dispute decided and one open.
 * Does nothing if the workspace has reviews.
 */
export async function seedReviews(baseUrl: string, demo: Demo, env: NodeJS.ProcessEnv): Promise<string> {
  const byKey = asker(baseUrl, { "x-api-key": demo.apiKey });
  const { reviews } = await byKey<{ reviews: object[] }>("GET", "/reviews?limit=1");
  if (reviews.length > 0) return "The demo workspace has reviews already.";
  await setPassword(env, demo, demoPeople.agent);
  for (const email of [...demoPeople.reviewers, demoPeople.supervisor]) await addPerson(byKey, env, demo, email);
  const scorecardId = await publish(byKey);
  const people = await Promise.all(demoPeople.reviewers.map((email) => signIn(baseUrl, email, demo.admin.password)));
  const calls = await readyCalls(byKey);
  const released: { readonly id: string; readonly agentEmail: string }[] = [];
  for (const [index, call] of calls.entries()) {
    const reviewer = people[index % people.length];
    if (!reviewer) break;
    const id = await reviewCall(reviewer, { callId: call.id, scorecardId, seed: index });
    released.push({ id, agentEmail: call.agent.email });
  }
  await respond(baseUrl, demo, released);
  return `Reviewed ${calls.length} calls on the scorecard "Support call".`;
}

export function asker(baseUrl: string, headers: Readonly<Record<string, string>>): Person["ask"] {
  return async <Body>(method: Method, path: string, body?: object, ifMatch?: number) => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...headers,
        ...(body && { "content-type": "application/json" }),
        ...(ifMatch !== undefined && { "if-match": `"${ifMatch}"` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json() as Promise<Body>;
  };
}

async function addPerson(byKey: Person["ask"], env: NodeJS.ProcessEnv, demo: Demo, email: string): Promise<void> {
  const role = email === demoPeople.supervisor ? "supervisor" : "reviewer";
  const name = names[email.split("@")[0] ?? ""] ?? email;
  const known = await byKey<{ users: object[] }>("GET", `/users?email=${email}`);
  if (known.users.length === 0) await byKey("POST", "/users/invite", { email, name, role, send_invite_email: false });
  await setPassword(env, demo, email);
}

async function setPassword(env: NodeJS.ProcessEnv, { workspaceId, admin }: Demo, email: string): Promise<void> {
  const user = ["--workspace", workspaceId, "--email", email];
  const setting = run(process.execPath, [serverCommand, "user", "set-password", ...user], { env });
  setting.child.stdin?.end(`${admin.password}\n`);
  await setting;
}

export async function signIn(baseUrl: string, email: string, password: string): Promise<Person> {
  const answer = await fetch(`${baseUrl}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`${email} cannot sign in: ${await answer.text()}`);
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  const { user } = (await answer.json()) as { user: { id: string } };
  return { id: user.id, ask: asker(baseUrl, { cookie, origin: publicUrl }) };
}

export async function publish(byKey: Person["ask"]): Promise<string> {
  const { scorecards } = await byKey<{ scorecards: ScorecardBody[] }>("GET", "/scorecards?limit=200");
  const published = scorecards.find(({ name, latest_version }) => name === document.name && latest_version !== null);
  if (published) return published.id;
  const { id } = await byKey<ScorecardBody>("POST", "/scorecards", { template: "support", language: "en" });
  await byKey("POST", `/scorecards/${id}/publish`);
  return id;
}

interface ReadyCall {
  readonly id: string;
  readonly agent: { readonly email: string };
}

/** The newest calls. Recordings that are still being prepared can be reviewed, too. */
async function readyCalls(byKey: Person["ask"]): Promise<ReadyCall[]> {
  const { calls } = await byKey<{ calls: ReadyCall[] }>("GET", "/calls?limit=30");
  return calls;
}

const document = template("support", "en");
/** Comments on questions that lost points. */
const comments: Readonly<Record<string, string>> = {
  greeting: "Only the company name; the agent's own name came a minute later.",
  lets_speak: "Interrupted twice while the customer explained the invoice.",
  takes_charge: "Went straight to the questions, without saying that they would look into it.",
  identity: "Opened the account without asking for the date of birth.",
  data_protection: "Read out the address before the verification was complete.",
  questioning: "Asked about the router, although the customer had named the invoice.",
  summary: "Proposed a solution without summing up the problem.",
  history: "The customer had to tell the story of the first call again.",
  empathy: "Did not react when the customer said that they had called three times.",
  language: 'Said "provisioning" twice; the customer asked what it means.',
  holds: "Put on hold without saying why.",
  correct: "The fee is not refunded automatically; the customer has to ask for it.",
  explanation: "Gave four steps at once; the customer lost track after the second.",
  outcome: "The next step had no date.",
  recap: "Ended the call without summing up what happens next.",
  anything_else: "Did not ask whether there is anything else.",
  farewell: "Hung up while the customer was still saying thank you.",
  notes: "The note says only that the customer called.",
};
const otherComment = "Not done in this call.";

interface SeededReview {
  readonly callId: string;
  readonly scorecardId: string;
  readonly seed: number;
  /** The review is for this calibration session. */
  readonly calibrationId?: string;
  /** Reviewers with different numbers give different answers to a few questions. */
  readonly reviewer?: number;
}

export async function reviewCall(
  { ask }: Person,
  { callId, scorecardId, seed, calibrationId, reviewer = 0 }: SeededReview,
): Promise<string> {
  const started = await ask<ReviewDetailBody>("POST", "/reviews", {
    call_id: callId,
    scorecard_id: scorecardId,
    ...(calibrationId && { calibration_id: calibrationId }),
  });
  let { number } = started;
  for (const [question, answer] of Object.entries(answersFor(seed, reviewer)))
    ({ number } = await ask<{ number: number }>("PUT", `/reviews/${started.id}/answers/${question}`, answer, number));
  await ask("PATCH", `/reviews/${started.id}`, { active_ms: 180_000 + ((seed * 7919) % 400_000) });
  await ask("POST", `/reviews/${started.id}/submit`, undefined, number);
  return started.id;
}

/** The same answers for the same seed. Most are good; every ninth review fails the call. */
function answersFor(seed: number, reviewer: number): Answers {
  const answers: Record<string, Answer> = {};
  const questions = document.sections.flatMap((section) => section.questions);
  for (const [index, question] of questions.entries()) {
    if (!visibleQuestions(document, answers).has(question.id)) continue;
    const luck = ((seed * 31 + index * 17) * 2654435761) % 100;
    const isOther = reviewer > 0 && (seed * 3 + index * 7 + reviewer * 13) % 11 === 0;
    const isBad = question.id === "identity" ? seed % 9 === 8 : luck < 14 !== isOther;
    answers[question.id] = withComment(question, answerOf(question, isBad), seed + index);
  }
  return answers;
}

function answerOf(question: Question, isBad: boolean): Answer {
  if (question.type === "yes_no") return { value: isBad ? "no" : "yes" };
  if (question.type === "text") return { value: "None." };
  if (question.type === "number") return { value: 1 };
  const byPoints = [...question.options].sort((a, b) => (b.points ?? 0) - (a.points ?? 0));
  const chosen = (isBad ? byPoints.at(-1) : byPoints[0])?.id ?? "";
  return { value: question.type === "multiple" ? [chosen] : chosen };
}

/** Adds a comment with a moment where the scorecard requires one, and to half of the lost points. */
function withComment(question: Question, answer: Answer, seed: number): Answer {
  const isRequired = checkAnswers(document, { [question.id]: answer }, { complete: true }).some(
    (problem) => problem.question === question.id && problem.code === "comment_required",
  );
  if (!isRequired && (answer.value !== "no" || seed % 2 === 0)) return answer;
  const start_ms = 2_000 + (seed % 5) * 1_500;
  return {
    ...answer,
    comment: comments[question.id] ?? otherComment,
    moments: [{ start_ms, end_ms: start_ms + 4_000 }],
  };
}

/** The agent who can sign in acknowledges half of her reviews and disputes two answers; a supervisor decides one. */
async function respond(
  baseUrl: string,
  { admin }: Demo,
  released: readonly { readonly id: string; readonly agentEmail: string }[],
): Promise<void> {
  const agent = await signIn(baseUrl, demoPeople.agent, admin.password);
  const supervisor = await signIn(baseUrl, demoPeople.supervisor, admin.password);
  const own = released.filter(({ agentEmail }) => agentEmail === demoPeople.agent);
  const disputes: { readonly id: string; readonly question: string }[] = [];
  for (const [index, { id }] of own.entries()) {
    const review = await agent.ask<ReviewDetailBody>("GET", `/reviews/${id}`);
    const [question] = Object.entries(review.answers).find(([, { value }]) => value === "no") ?? [];
    if (question && disputes.length < 2) {
      const reason = "I did this in the call; please listen again.";
      const items = [{ question_id: question, proposed: { value: "yes" }, reason }];
      disputes.push({ ...(await agent.ask<{ id: string }>("POST", `/reviews/${id}/disputes`, { items })), question });
    } else if (index % 2 === 0) await agent.ask("POST", `/reviews/${id}/acknowledge`, { note: "Thank you." });
  }
  const [first] = disputes;
  if (!first) return;
  const explanation = "You are right: it can be heard.";
  const items = [{ question_id: first.question, decision: "changed", explanation }];
  await supervisor.ask("POST", `/disputes/${first.id}/resolve`, { items });
}
