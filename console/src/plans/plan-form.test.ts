import { expect, test } from "vitest";
import { formOf, newPlanForm, type PlanForm, toPlanInput, toPreviewInput } from "./plan-form.ts";

const complete: PlanForm = {
  ...newPlanForm("Europe/Paris", "card"),
  name: " Weekly ",
  minDuration: "0:30",
  reviewers: [{ userId: "rita", capacity: 12 }],
};

test("a filled form becomes a plan, and a plan the same form", () => {
  const input = toPlanInput(complete);
  expect(input).toMatchObject({
    name: "Weekly",
    min_duration_s: 30,
    max_duration_s: null,
    per_agent: 3,
    monthly_limit: null,
    reviewers: [{ user_id: "rita", capacity: 12 }],
  });
  const plan = { id: "", created_at: "", ended_at: null, pending: false, ...input };
  expect(formOf(plan as Parameters<typeof formOf>[0])).toEqual({ ...complete, name: "Weekly" });
});

test.each<[string, Partial<PlanForm>]>([
  ["no scorecard", { scorecardId: null }],
  ["a number is missing", { perAgent: undefined }],
  ["a duration is no duration", { maxDuration: "long" }],
  ["the longest is shorter than the shortest", { maxDuration: "0:10" }],
])("is not sent: %s", (_, change) => {
  expect(toPlanInput({ ...complete, ...change })).toBeUndefined();
});

test("the preview does without a name, and without entries that are being typed", () => {
  const metadata = [
    { key: "site", value: "Lyon" },
    { key: "direction", value: "" },
  ];
  expect(toPreviewInput({ ...complete, name: "", metadata })).toMatchObject({
    metadata: [{ key: "site", value: "Lyon" }],
  });
  expect(toPreviewInput({ ...complete, perAgent: 51 })).toBeUndefined();
});
