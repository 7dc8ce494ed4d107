import type { Answer } from "../support/http/http.ts";
import { importCall } from "../support/http/service.ts";
import { createUser, type SignedInUser } from "../support/http/users.ts";
import { type RequestOverrides, type Row, row, type TestContext } from "./documented-row.ts";

/** Ids created by earlier rows. */
const created = { callId: "", reviewId: "", disputeId: "", noteId: "" };
const review = () => ({ params: { id: created.reviewId } });
const answer = () => ({ params: { id: created.reviewId, question: "greeting" } });
const dispute = () => ({ params: { id: created.disputeId } });
const note = () => ({ params: { id: created.callId, note: created.noteId } });
const ifMatch = (number: number) => ({ headers: { "if-match": `"${number}"` } });
const tooLong = { "content-length": String(10 * 2 ** 30) };

/** The agent of the reviewed call, created on first use. */
let agent: Promise<SignedInUser> | undefined;
const agentOf = ({ service }: TestContext) => {
  agent ??= createUser({ baseUrl: service.baseUrl, manageKey: service.apiKey }, "agent");
  return agent;
};
async function asAgent(context: TestContext, operation: string, overrides: RequestOverrides = {}): Promise<Answer> {
  const { cookie } = await agentOf(context);
  const headers = { cookie, origin: context.service.baseUrl, ...overrides.headers };
  return context.ask(operation, { ...overrides, apiKey: null, headers });
}

/** A row with the status of a request by the key, which has every scope. */
const asKey = (operation: string, status: number, overrides: () => RequestOverrides = () => ({})): Row =>
  row(operation, status, ({ ask }) => ask(operation, overrides()));

const setState = ({ stack }: TestContext, state: "submitted" | "released") =>
  stack.adminDb.query(
    `update review set state = $2, released_at = case when $2 = 'released' then now() end where id = $1`,
    [created.reviewId, state],
  );

const notes: readonly Row[] = [
  row("createNote", 201, async (context) => {
    const { email } = await agentOf(context);
    created.callId = (await importCall(context.service, { agent_email: email })).id;
    const added = await context.ask<{ id: string }>("createNote", { params: { id: created.callId } });
    created.noteId = added.body.id;
    return added;
  }),
  asKey("listNotes", 200, () => ({ params: { id: created.callId } })),
  asKey("changeNote", 200, note),
  asKey("deleteNote", 204, note),
  row("createNote", 409, async ({ ask, stack }) => {
    await stack.adminDb.query(
      `insert into call_note (workspace_id, id, call_id, position_ms, text, author_type, author_id)
       select workspace_id, gen_random_uuid(), id, n, 'filler', 'user', agent_id
       from call, generate_series(1, 500) as n where id = $1`,
      [created.callId],
    );
    return ask("createNote", { params: { id: created.callId } });
  }),
];

/** The scorecard has one question, "greeting", and releases reviews at once. */
const drafts = (scorecardId: () => string): readonly Row[] => {
  const start = () => ({ body: { call_id: created.callId, scorecard_id: scorecardId() } });
  return [
    asKey("startReview", 404),
    row("startReview", 409, async ({ ask }) => {
      const retire = (retired: boolean) =>
        ask("changeScorecard", { params: { id: scorecardId() }, body: { retired, campaign_ids: [] } });
      await retire(true);
      const refused = await ask("startReview", start());
      await retire(false);
      return refused;
    }),
    row("discardReview", 204, async ({ ask }) => {
      const { body } = await ask<{ id: string }>("startReview", start());
      return ask("discardReview", { params: { id: body.id } });
    }),
    row("startReview", 201, async ({ ask }) => {
      const started = await ask<{ id: string }>("startReview", start());
      created.reviewId = started.body.id;
      return started;
    }),
    asKey("startReview", 200, start),
    asKey("listReviews", 200),
    asKey("exportReviews", 200, () => ({ query: "?format=csv" })),
    asKey("getReview", 200, review),
    ...(["saveAnswer", "changeReview", "submitReview"] as const).flatMap((operation) => [
      asKey(operation, 404, () => ifMatch(1)),
      asKey(operation, 428, answer),
      asKey(operation, 412, () => ({ ...answer(), ...ifMatch(9) })),
    ]),
    asKey("submitReview", 422, () => ({ ...review(), ...ifMatch(1) })),
    asKey("saveAnswer", 200, () => ({ ...answer(), ...ifMatch(1), body: { value: "no" } })),
    asKey("changeReview", 200, () => ({ ...review(), ...ifMatch(2) })),
    asKey("submitReview", 200, () => ({ ...review(), ...ifMatch(3) })),
    ...(["saveAnswer", "changeReview", "submitReview"] as const).map((operation) =>
      asKey(operation, 409, () => ({ ...answer(), ...ifMatch(99) })),
    ),
    asKey("discardReview", 409, review),
    asKey("reopenReview", 409, review),
    asKey("releaseReview", 409, review),
  ];
};

const managing: readonly Row[] = [
  row("reopenReview", 200, async (context) => {
    await setState(context, "submitted");
    return context.ask("reopenReview", review());
  }),
  row("releaseReview", 200, async (context) => {
    const { body } = await context.ask<{ number: number }>("getReview", review());
    await context.ask("submitReview", { ...review(), ...ifMatch(body.number) });
    await setState(context, "submitted");
    return context.ask("releaseReview", review());
  }),
  asKey("releaseReviews", 200),
  row("getWaiting", 200, (context) => asAgent(context, "getWaiting")),
];

const objection = (value: "yes" | "no") => ({
  body: { items: [{ question_id: "greeting", proposed: { value }, reason: "At 0:04." }] },
});
const disputes: readonly Row[] = [
  ...["acknowledgeReview", "openDispute"].flatMap((operation) => [
    row(operation, 400, (context) => asAgent(context, operation, { body: "{" })),
    row(operation, 404, (context) => asAgent(context, operation)),
    row(operation, 413, (context) => asAgent(context, operation, { headers: tooLong })),
    row(operation, 422, (context) => asAgent(context, operation, { body: { note: 1, items: [] } })),
  ]),
  row("openDispute", 201, async (context) => {
    const opened = await asAgent(context, "openDispute", { ...review(), ...objection("yes") });
    created.disputeId = (opened.body as { id: string }).id;
    return opened;
  }),
  row("openDispute", 409, (context) => asAgent(context, "openDispute", { ...review(), ...objection("yes") })),
  asKey("listDisputes", 200),
  asKey("getDispute", 200, dispute),
  row("changeDispute", 200, async ({ ask, service }) => {
    const { id } = await createUser({ baseUrl: service.baseUrl, manageKey: service.apiKey }, "supervisor");
    return ask("changeDispute", { ...dispute(), body: { arbiter_id: id } });
  }),
  row("resolveDispute", 200, async (context) => {
    // Its author must not decide it.
    await context.stack.adminDb.query("update review set reviewer_id = gen_random_uuid() where id = $1", [
      created.reviewId,
    ]);
    return context.ask("resolveDispute", dispute());
  }),
  asKey("resolveDispute", 409, dispute),
  asKey("changeDispute", 409, dispute),
  asKey("correctReview", 200, () => ({
    ...review(),
    body: { answers: { greeting: { value: "no" } }, reason: "Heard again." },
  })),
  asKey("correctReview", 409, () => ({
    ...review(),
    body: { answers: { greeting: { value: "no" } }, reason: "Heard again." },
  })),
  row("acknowledgeReview", 200, (context) => asAgent(context, "acknowledgeReview", review())),
  asKey("voidReview", 200, review),
  asKey("voidReview", 409, review),
  row("acknowledgeReview", 409, async (context) => {
    await context.stack.adminDb.query("update review set acknowledged_at = null where id = $1", [created.reviewId]);
    return asAgent(context, "acknowledgeReview", review());
  }),
];

/** Rows of notes, reviews and disputes. The scorecard must be published. */
export const reviewRows = (scorecardId: () => string): readonly Row[] => [
  ...notes,
  ...drafts(scorecardId),
  ...managing,
  ...disputes,
];
