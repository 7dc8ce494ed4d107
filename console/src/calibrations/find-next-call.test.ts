import { expect, test } from "vitest";
import { whileSubmitting } from "../queue/submitted-calls.ts";
import { findNextCall, isToScore } from "./find-next-call.ts";

const call = (call_id: string, state?: "draft" | "submitted", erased = false) => ({
  call_id,
  erased,
  review: state ? { id: `review of ${call_id}`, state } : null,
});
const session = {
  call_list: [call("a"), call("b", "submitted"), call("c", "draft"), call("d", undefined, true), call("e")],
};

test("calls without a review and drafts are to score, submitted and erased ones are not", () => {
  expect(session.call_list.filter(isToScore).map(({ call_id }) => call_id)).toEqual(["a", "c", "e"]);
});

test.each([
  [undefined, "a"],
  ["a", "c"],
  ["c", "e"],
  ["e", "a"],
  ["unknown", "a"],
])("after %s comes %s", (after, next) => {
  expect(findNextCall(session, after)?.call_id).toBe(next);
});

test("no call is next if only this one is left", () => {
  expect(findNextCall({ call_list: [call("a", "submitted"), call("b")] }, "b")).toBeUndefined();
});

test("a call whose review is being submitted is not next", async () => {
  await whileSubmitting("c", async () => {
    expect(findNextCall(session, "a")?.call_id).toBe("e");
  });
});
