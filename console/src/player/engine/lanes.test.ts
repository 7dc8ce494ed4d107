import { expect, test } from "vitest";
import { talkOf } from "./lanes.ts";
import { soloChannel, toggleMute, toggleSolo } from "./muting.ts";

const side = (side: "agent" | "customer" | "mixed", channel: "left" | "right" | "both") => ({
  side,
  channel,
  talk_ms: 0,
  talk_ratio: 0,
  loudness_lufs: null,
});

test("the agent's lane is on top, for any channel", () => {
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

test("has no silences before the speech is loaded", () => {
  const talk = talkOf([side("mixed", "both")], undefined, 9000);
  expect([talk.isKnown, talk.lanes.length, talk.silences, talk.skips]).toEqual([false, 1, [], []]);
});

test("toggles mute and solo", () => {
  const both = ["left", "right"] as const;
  expect(toggleMute(new Set(), "left")).toEqual(["left"]);
  expect(toggleMute(new Set(["left", "right"] as const), "left")).toEqual(["right"]);
  expect(toggleSolo(both, new Set(), "left")).toEqual(["right"]);
  expect(toggleSolo(both, new Set(["right"] as const), "left")).toEqual([]);
  expect([
    soloChannel(both, new Set(["right"] as const)),
    soloChannel(both, new Set()),
    soloChannel(["both"], new Set()),
  ]).toEqual(["left", undefined, undefined]);
});
