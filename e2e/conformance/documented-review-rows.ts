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

/** Of a session about the call, and of one that is deleted. */
const sessions = { open: "", deleted: "" };
const session = () => ({ params: { id: sessions.open, question: "greeting" } });

const calibrations = (scorecardId: () => string): readonly Row[] => {
  let people: Promise<string[]> | undefined;
  const participants = ({ service }: TestContext) => {
    const managed = { baseUrl: service.baseUrl, manageKey: service.apiKey };
    people ??= Promise.all(
      (["reviewer", "supervisor"] as const).map(async (role) => (await createUser(managed, role)).id),
    );
    return people;
  };
  const create = async (context: TestContext) =>
    context.ask<{ id: string }>("createCalibration", {
      body: {
        name: "November",
        scorecard_id: scorecardId(),
        call_ids: [created.callId],
        participant_ids: await participants(context),
      },
    });
  return [
    asKey("createCalibration", 404),
    row("createCalibration", 409, async (context) => {
      const retire = (retired: boolean) =>
        context.ask("changeScorecard", { params: { id: scorecardId() }, body: { retired, campaign_ids: [] } });
      await retire(true);
      const refused = await create(context);
      await retire(false);
      return refused;
    }),
    row("createCalibration", 201, async (context) => {
      const made = await create(context);
      sessions.open = made.body.id;
      return made;
    }),
    asKey("listCalibrations", 200),
    asKey("getCalibration", 200, session),
    asKey("changeCalibration", 200, session),
    ...["getCalibrationResults", "getCalibrationAnswers", "decideCalibration"].map((operation) =>
      asKey(operation, 409, session),
    ),
    asKey("closeCalibration", 200, session),
    asKey("getCalibrationResults", 200, session),
    asKey("getCalibrationAnswers", 200, session),
    asKey("decideCalibration", 200, session),
    asKey("changeCalibration", 409, session),
    asKey("deleteCalibration", 409, session),
    row("deleteCalibration", 204, async (context) => {
      sessions.deleted = (await create(context)).body.id;
      return context.ask("deleteCalibration", { params: { id: sessions.deleted } });
    }),
    asKey("getAgreement", 200, () => ({ query: `?scorecard_id=${scorecardId()}` })),
    asKey("getAgreement", 404, () => ({ query: `?scorecard_id=${created.callId}` })),
  ];
};

const runs = { id: "" };
const whatIf = () => ({ params: { id: runs.id } });
const changedGreeting = {
  format: "hearback.scorecard/1",
  name: "Changed",
  passing_score: 50,
  sections: [
    {
      id: "opening",
      title: "Opening",
      questions: [{ id: "greeting", title: "Greets", type: "yes_no", weight: 100 }],
    },
  ],
};

/** The scorecard has no draft. A calibration session adds one. */
const whatIfs = (scorecardId: () => string): readonly Row[] => {
  const scorecard = () => ({ params: { id: scorecardId() } });
  const from = "2026-01-01T00:00:00Z";
  const withDocument = () => ({ ...scorecard(), body: { from, document: changedGreeting } });
  return [
    asKey("startWhatIf", 409, () => ({ ...scorecard(), body: { from } })),
    row("startWhatIf", 202, async ({ ask }) => {
      const started = await ask<{ id: string }>("startWhatIf", withDocument());
      runs.id = started.body.id;
      return started;
    }),
    row("startWhatIf", 412, async ({ ask }) => {
      await ask("saveScorecardDraft", { ...scorecard(), body: { document: changedGreeting } });
      const refused = await ask("startWhatIf", { ...scorecard(), body: { from }, headers: { "if-match": '"999"' } });
      await ask("discardScorecardDraft", scorecard());
      return refused;
    }),
    asKey("listWhatIfs", 200, scorecard),
    asKey("getWhatIf", 200, whatIf),
    asKey("cancelWhatIf", 204, whatIf),
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
  row("changeDispute", 200, async ({ ask, service, stack }) => {
    // The author of the review neither assigns an arbiter nor decides.
    await stack.adminDb.query("update review set reviewer_id = gen_random_uuid() where id = $1", [created.reviewId]);
    const { id } = await createUser({ baseUrl: service.baseUrl, manageKey: service.apiKey }, "supervisor");
    return ask("changeDispute", { ...dispute(), body: { arbiter_id: id } });
  }),
  asKey("resolveDispute", 200, dispute),
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

const period = () => ({ query: "?from=2026-01-01&to=2026-12-31" });
const scores: readonly Row[] = [
  asKey("getScoresOverview", 200, period),
  asKey("getCoverage", 200, period),
  asKey("listAgentScores", 200, period),
  asKey("listReviewerScores", 200, period),
  row("getOwnScores", 200, (context) => asAgent(context, "getOwnScores", period())),
  row("getOwnScores", 400, (context) => asAgent(context, "getOwnScores")),
  row("getOwnScores", 422, (context) => asAgent(context, "getOwnScores", { query: "?from=2026-01-02&to=2026-01-01" })),
];

/** Rows of notes, reviews, disputes and scores. The scorecard must be published. */
export const reviewRows = (scorecardId: () => string): readonly Row[] => [
  ...notes,
  ...drafts(scorecardId),
  ...whatIfs(scorecardId),
  ...calibrations(scorecardId),
  ...managing,
  ...disputes,
  ...scores,
];
