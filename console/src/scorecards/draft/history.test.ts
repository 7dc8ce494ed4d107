import { expect, test } from "vitest";
import { record, redo, startHistory, undo } from "./history.ts";

const typed = (...states: [state: string, at: number, about?: string][]) =>
  states.reduce((history, [state, at, about]) => record(history, state, { about, at }), startHistory("start"));

test("undo and redo walk through the states", () => {
  const history = typed(["a", 0], ["b", 0]);
  const back = undo(undo(history));
  expect(back.present).toBe("start");
  expect(undo(back)).toBe(back);
  const forth = redo(redo(back));
  expect(forth.present).toBe("b");
  expect(redo(forth)).toBe(forth);
});

test("a change after an undo drops what was undone", () => {
  const history = record(undo(typed(["a", 0])), "b", { at: 0 });
  expect(redo(history).present).toBe("b");
  expect(undo(history).present).toBe("start");
});

test("typing into one field is one step, until a pause", () => {
  const history = typed(["h", 0, "title"], ["he", 900, "title"], ["hel", 1_800, "title"], ["hell", 9_000, "title"]);
  expect(undo(history).present).toBe("hel");
  expect(undo(undo(history)).present).toBe("start");
});

test("typing into another field, or again after an undo, is a new step", () => {
  expect(undo(typed(["h", 0, "title"], ["w", 1, "weight"])).present).toBe("h");
  const again = record(undo(typed(["a", 0, "title"], ["b", 5_000, "title"])), "c", { about: "title", at: 5_001 });
  expect(undo(again).present).toBe("a");
});

test("an unchanged state is no step, and old steps are dropped", () => {
  const history = typed(["a", 0]);
  expect(record(history, "a", { at: 1 })).toBe(history);
  const long = Array.from({ length: 500 }, (_, n) => `${n}`).reduce(
    (before, state) => record(before, state, { at: 0 }),
    startHistory("start"),
  );
  expect(long.past.length).toBe(200);
});
