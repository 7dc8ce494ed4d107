import type { CallItem, CallPageBody, ReviewBody, ReviewPageBody } from "@hearback/sdk";
import { expect, test } from "vitest";
import { findNextCall } from "./find-next-call.ts";

const call = (id: string, rest: object = {}) => ({ id, status: "ready", agent: { id: "agent" }, ...rest }) as CallItem;

function openService(calls: readonly CallItem[], states: Readonly<Record<string, ReviewBody["state"][]>> = {}) {
  return {
    filter: {},
    id: "0",
    userId: "me",
    seesOwnReviews: false,
    page: async ({ cursor = "", limit = 0 }: { cursor?: string | undefined; limit?: number | undefined }) => {
      const from = calls.findIndex(({ id }) => id === cursor) + 1;
      const found = calls.slice(from, from + limit);
      const last = found.at(-1)?.id;
      return { calls: found, next: last && from + limit < calls.length ? last : null } as CallPageBody;
    },
    reviews: async ({ callId }: { callId: string }) =>
      ({ reviews: (states[callId] ?? []).map((state) => ({ state })), next: null }) as ReviewPageBody,
  };
}

test("the next call without a review of the user", async () => {
  const service = openService([call("0"), call("1"), call("2"), call("3")], {
    1: ["released"],
    2: ["voided", "draft"],
  });
  expect((await findNextCall(service))?.id).toBe("2");
});

test("calls that cannot be played and calls of the user are skipped", async () => {
  const service = openService([
    call("0"),
    call("1", { status: "failed" }),
    call("2", { agent: { id: "me" } }),
    call("3"),
  ]);
  expect((await findNextCall(service))?.id).toBe("3");
});

test("continues on the next page, and ends at the end of the list", async () => {
  const reviewed = Array.from({ length: 30 }, (_, n) => call(String(n + 1)));
  const states = Object.fromEntries(reviewed.map(({ id }) => [id, ["submitted" as const]]));
  expect(await findNextCall(openService([call("0"), ...reviewed], states))).toBeNull();
  expect((await findNextCall(openService([call("0"), ...reviewed, call("last")], states)))?.id).toBe("last");
});

test("for a reviewer, the server leaves out what they reviewed", async () => {
  const service = openService([call("0"), call("1"), call("2")], { 1: ["released"] });
  const asked: unknown[] = [];
  const page = (query: Parameters<typeof service.page>[0]) => {
    asked.push(query);
    return service.page(query);
  };
  expect((await findNextCall({ ...service, page, seesOwnReviews: true }))?.id).toBe("1");
  expect(asked).toMatchObject([{ reviewed: false }]);
});
