import { expect, test } from "vitest";
import { findProblem, type SessionForm, toSession } from "./session-form.ts";

const form: SessionForm = {
  name: " November ",
  scorecardId: "card",
  participantIds: ["ann", "bob"],
  expertId: "ann",
  dueDay: "2026-11-30",
  callIds: ["call"],
};

test("a complete form becomes a session that is due at the end of the day", () => {
  expect(toSession(form, "Europe/Paris")).toEqual({
    name: "November",
    scorecardId: "card",
    participantIds: ["ann", "bob"],
    callIds: ["call"],
    expertId: "ann",
    dueAt: new Date("2026-11-30T22:59:59Z"),
  });
});

test("without a due date, and without an expert who no longer takes part", () => {
  const session = toSession({ ...form, dueDay: "", expertId: "eve" }, "Europe/Paris");
  expect(session).toMatchObject({ dueAt: null, expertId: null });
});

test.each([
  [{ scorecardId: null }, "noScorecard"],
  [{ participantIds: ["ann"] }, "fewParticipants"],
  [{ callIds: [] }, "fewCalls"],
  [{ callIds: Array.from({ length: 51 }, (_, index) => String(index)) }, "manyCalls"],
] as const)("%j is a problem", (part, problem) => {
  expect(findProblem({ ...form, ...part })).toBe(problem);
  expect(toSession({ ...form, ...part }, "UTC")).toBeUndefined();
});
