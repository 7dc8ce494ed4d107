import { expect, test } from "vitest";
import { openPlanTests } from "../testing/plans.ts";
import { openTestApp } from "../testing/test-app.ts";

const service = await openTestApp();
const { admin } = service;
const tests = await openPlanTests(service);
const { supervisor, scorecardId } = tests;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

test("the coverage of plans is how many of the drawn calls are reviewed", async () => {
  // The week of the plan ends within seven days, although the test ends its period earlier.
  const now = `from=${dayOf(Date.now())}&to=${dayOf(Date.now() + 7 * 24 * 3600_000)}`;
  const coverage = async (filter = "", days = now) =>
    (await supervisor.ask("GET", `/scores/coverage?${days}${filter}`)).body;
  expect(await coverage()).toEqual({ drawn: 0, done: 0, overdue: 0 });
  const agents = [await tests.newAgent(), await tests.newAgent()];
  const planId = await tests.createPlan({ per_agent: 2 });
  await tests.addReady(agents.flatMap(({ id }) => [id, id, id]));
  const drawId = await tests.draw(planId);
  const { rows } = await admin.query("select id from assignment where draw_id = $1 and kind = 'first' order by id", [
    drawId,
  ]);
  expect(rows).toHaveLength(4);
  // The next ticket takes the place of the first one.
  await supervisor.ask("POST", `/assignments/${rows[0].id}/skip`, { reason: "inaudible" });
  await admin.query("update assignment set state = 'done', done_at = now() where id = $1", [rows[1].id]);
  await admin.query("update assignment set due_at = now() - interval '1 day' where id = $1", [rows[2].id]);
  expect(await coverage()).toEqual({ drawn: 4, done: 1, overdue: 1 });
  expect(await coverage(`&scorecard_id=${scorecardId}`)).toMatchObject({ drawn: 4 });
  expect(await coverage(`&scorecard_id=${planId}`)).toMatchObject({ drawn: 0 });
  expect(await coverage("", "from=2026-01-01&to=2026-01-02")).toMatchObject({ drawn: 0 });
});
