import { expect, test } from "vitest";
import { readPrivacySearch } from "./search.ts";

const id = "018f32c1-5e80-7c4e-9b1c-2f6d1c3e4a5b";

test("reads the state from the URL", () => {
  expect(readPrivacySearch({ tab: "holds", state: "all", hold: `call:${id}` })).toMatchObject({
    tab: "holds",
    state: "all",
    hold: { type: "call", id },
  });
  expect(readPrivacySearch({ erasure: id, kind: "agent", erase: `agent:${id}` })).toMatchObject({
    tab: "erasures",
    erasure: id,
    kind: "agent",
    erase: { type: "agent", id },
  });
});

test("drops invalid parameters", () => {
  const strange = { tab: "all", kind: "x", erasure: "1", state: ["a", "b"], erase: "call:1", hold: "metadata:x" };
  expect(readPrivacySearch(strange)).toEqual({
    tab: "erasures",
    kind: undefined,
    erasure: undefined,
    state: "active",
    erase: undefined,
    hold: undefined,
  });
});
