import { expect, test } from "vitest";
import { talkOf } from "./lanes.ts";
import { alone, onlyOf, toggled } from "./muting.ts";

const side = (side: "agent" | "customer" | "mixed", channel: "left" | "right" | "both") => ({
  ...{ side, channel, talk_ms: 0, talk_ratio: 0, loudness_lufs: null },
});

test("the agent is above, on whichever channel", () => {
  const speech = {
    sides: [
      { ...side("customer", "left"), turns: [[1000, 3000] as [number, number]] },
      { ...side("agent", "right"), turns: [[2000, 4000] as [number, number]] },
    ],
  };
  const talk = talkOf([side("customer", "left"), side("agent", "right")], speech, 9000);
  expect(talk.lanes.map((lane) => [lane.side, lane.colour, lane.turns])).toEqual([
    ["agent", "--side-agent", [[2000, 4000]]],
    ["customer", "--side-customer", [[1000, 3000]]],
  ]);
  expect([talk.overtalk, talk.silences]).toEqual([[[2000, 3000]], [[4000, 9000]]]);
});

test("before it is known who speaks, nothing is silence", () => {
  const talk = talkOf([side("mixed", "both")], undefined, 9000);
  expect([talk.isKnown, talk.lanes.length, talk.silences, talk.skips]).toEqual([false, 1, [], []]);
});

test("one side is heard alone, and all of them again", () => {
  const both = ["left", "right"] as const;
  expect(toggled(new Set(), "left")).toEqual(["left"]);
  expect(toggled(new Set(["left", "right"] as const), "left")).toEqual(["right"]);
  expect(alone(both, new Set(), "left")).toEqual(["right"]);
  expect(alone(both, new Set(["right"] as const), "left")).toEqual([]);
  expect([onlyOf(both, new Set(["right"] as const)), onlyOf(both, new Set()), onlyOf(["both"], new Set())]).toEqual([
    "left",
    undefined,
    undefined,
  ]);
});
