import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { Progress } from "../import/progress.ts";
import { showProgress } from "./live-progress.ts";

const makeProgress = (): Progress => ({
  phase: "importing",
  total: 100,
  totalBytes: 1000,
  done: 10,
  doneBytes: 100,
  sentBytes: 100,
  imported: 10,
  present: 0,
  failed: 0,
  atOnce: 4,
  waiting: undefined,
});

function makeOutput(terminal: { columns: number } | undefined) {
  let text = "";
  return {
    ...(terminal && { isTTY: true, ...terminal }),
    write: (more: string) => {
      text += more;
    },
    text: () => text,
  };
}

/** Minimal terminal emulator: returns the screen after the text was written. */
function screen(text: string): string[] {
  const rows = [""];
  let at = 0;
  const write = (words: string) => {
    for (const [index, part] of words.split("\n").entries()) {
      if (index > 0) at += 1;
      rows[at] = part.replace("\r", "") || (rows[at] ?? "");
    }
  };
  const [first = "", ...escapes] = text.split("\x1b[");
  write(first);
  for (const sequence of escapes) {
    const [, count = "", kind = "", rest = ""] = /^\??(\d*)([A-Zhl])(.*)$/s.exec(sequence) ?? [];
    if (kind === "A") at -= Number(count);
    if (kind === "J") rows.splice(at, rows.length, "");
    write(rest);
  }
  return rows;
}

test("redraws in place, keeps messages above the bar, and removes itself", async () => {
  const output = makeOutput({ columns: 60 });
  const progress = makeProgress();
  const view = showProgress({ read: () => progress, output, env: { NO_COLOR: "1" } });
  view.say("line 7: cut short");
  progress.done = 50;
  await sleep(300);
  const drawn = screen(output.text());
  expect(drawn[0]).toBe("line 7: cut short");
  expect(drawn[1]).toMatch(/^Importing ━+╸?─+ +50%$/);
  expect(drawn.filter((line) => line.startsWith("Importing"))).toHaveLength(1);
  view.stop();
  view.stop();
  view.say("afterwards");
  expect(screen(output.text()).filter((line) => line !== "")).toEqual(["line 7: cut short", "afterwards"]);
  expect(output.text().split("\x1b[?25l")).toHaveLength(2);
  expect(output.text().split("\x1b[?25h")).toHaveLength(2);
});

test("writes timestamped lines without escape codes if the output is not a terminal", async () => {
  const output = makeOutput(undefined);
  const progress = makeProgress();
  let now = Date.parse("2026-11-15T08:00:00Z");
  const view = showProgress({ read: () => progress, output, env: {}, now: () => now });
  progress.done = 20;
  await sleep(600);
  expect(output.text()).toBe("2026-11-15T08:00:00Z importing: 10 of 100 (10%), 100 B of 1.0 kB, 4 in parallel\n");
  now += 10_000;
  await sleep(600);
  progress.waiting = "the service cannot be reached";
  now += 1000;
  await sleep(600);
  view.say("line 7: cut short");
  view.stop();
  const lines = output.text().trim().split("\n");
  expect(lines[1]).toMatch(/^2026-11-15T08:00:10Z importing: 20 of 100/);
  expect(lines[2]).toMatch(/^2026-11-15T08:00:11Z .*waiting: the service cannot be reached$/);
  expect(lines[3]).toBe("2026-11-15T08:00:11Z line 7: cut short");
  expect(output.text()).toBe(stripVTControlCharacters(output.text()));
});

test("writes only messages with --quiet", () => {
  const output = makeOutput({ columns: 60 });
  const view = showProgress({ read: makeProgress, output, env: {}, quiet: true });
  view.say("line 7: cut short");
  view.stop();
  expect(output.text()).toBe("line 7: cut short\n");
});
