import type { CalibrationDetailBody } from "@hearback/contract";
import type { Demo } from "./demo.ts";
import { asker, demoPeople, publish, reviewCall, signIn } from "./seed-reviews.ts";

const day = 24 * 3600 * 1000;

/**
 * Creates two calibration sessions: one that is closed, with 8 calls that 3 people scored and a decision, and one that is
 * open. Does nothing if the workspace has a session.
 */
export async function seedCalibrations(baseUrl: string, demo: Demo): Promise<string> {
  const byKey = asker(baseUrl, { "x-api-key": demo.apiKey });
  const { calibrations } = await byKey<{ calibrations: object[] }>("GET", "/calibrations?limit=1");
  if (calibrations.length > 0) return "The demo workspace has a calibration session already.";
  const emails = [demoPeople.supervisor, ...demoPeople.reviewers];
  const people = await Promise.all(emails.map((email) => signIn(baseUrl, email, demo.admin.password)));
  const [expert] = people;
  if (!expert) return "The demo workspace has no supervisor.";
  const scorecardId = await publish(byKey);
  const { calls } = await byKey<{ calls: { id: string }[] }>("GET", "/calls?limit=60");
  // Calls that no plan has drawn, as far as possible.
  const ids = calls.map(({ id }) => id).slice(-12);
  const create = (name: string, callIds: readonly string[], dueAt: number) =>
    expert.ask<CalibrationDetailBody>("POST", "/calibrations", {
      name,
      scorecard_id: scorecardId,
      call_ids: callIds,
      participant_ids: people.map(({ id }) => id),
      expert_id: expert.id,
      due_at: new Date(dueAt).toISOString(),
    });
  const closed = await create("Support, October", ids.slice(0, 8), Date.now() - 3 * day);
  for (const [reviewer, person] of people.entries())
    for (const [seed, callId] of ids.slice(0, 8).entries())
      await reviewCall(person, { callId, scorecardId, seed: 200 + seed, calibrationId: closed.id, reviewer });
  await expert.ask("POST", `/calibrations/${closed.id}/close`);
  const text = "The company's name alone is not enough: the agent says their own name, too.";
  await expert.ask("PUT", `/calibrations/${closed.id}/decisions/greeting`, { text });
  const open = await create("Support, November", ids.slice(8), Date.now() + 5 * day);
  const [first] = people.slice(1);
  for (const [seed, callId] of ids.slice(8, 10).entries())
    if (first) await reviewCall(first, { callId, scorecardId, seed: 300 + seed, calibrationId: open.id, reviewer: 1 });
  return `Created two calibration sessions, one closed with 8 calls and ${people.length} people, and one open.`;
}
