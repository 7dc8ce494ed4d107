import { expect, test } from "vitest";
import { timeInName } from "./time-in-name.ts";

const now = new Date("2026-11-15T12:00:00Z");
const read = (name: string) => {
  const found = timeInName(name, now);
  if (!found) return undefined;
  if ("at" in found.time) return found.time.at.toISOString();
  const { year, month, day, hour, minute, second } = found.time.wall;
  const two = (value: number) => String(value).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
};

test.each([
  ["2026-05-01_10-30-00_ann@example.com", "2026-05-01 10:30:00"],
  ["20260501-103000-201", "2026-05-01 10:30:00"],
  ["20260501103000", "2026-05-01 10:30:00"],
  ["call 2026.05.01 10.30", "2026-05-01 10:30:00"],
  ["2026-05-01 10h30m15s ann", "2026-05-01 10:30:15"],
  ["31.12.2026 23.59.58", "2026-12-31 23:59:58"],
  ["25-04-2026_10-30", "2026-04-25 10:30:00"],
  // 3CX, Oreka, FreeSWITCH.
  ["[Durand, Élise]_+33612345678-1001_20260302091504(52)", "2026-03-02 09:15:04"],
  ["20260302_091511_KLAB", "2026-03-02 09:15:11"],
  ["2026-03-02-09-15-11_0612345678_1001", "2026-03-02 09:15:11"],
  // A zone makes it an instant.
  ["20260501T103000Z", "2026-05-01T10:30:00.000Z"],
  ["2026-05-01T10:30:00+02:00", "2026-05-01T08:30:00.000Z"],
  // Unix time in seconds, with Asterisk's sequence number, in milliseconds.
  ["1714557600", "2024-05-01T10:00:00.000Z"],
  ["1714557600.1234", "2024-05-01T10:00:00.000Z"],
  ["rec-1714557600250", "2024-05-01T10:00:00.250Z"],
  // FreePBX has both; the Unix time wins.
  ["q-600-0612345678-20240501-120000-1714557600.12", "2024-05-01T10:00:00.000Z"],
  // One folder per day.
  ["2026/05/01/10-30-00 ann", "2026-05-01 10:30:00"],
])("%s is %s", (name, time) => {
  expect(read(name)).toBe(time);
});

test.each([
  ["a name without a time", "ann"],
  ["a day alone", "2026-05-01 ann"],
  ["a day that does not exist", "2026-02-31_10-30-00"],
  ["an ambiguous date", "04-05-2026_10-30-00"],
  ["an ID that looks like one", "20260501-1030-4000-8000-202605011030"],
  ["Twilio's id", "RE17145576001714557600171455760017145"],
  ["a telephone number", "0612345678"],
  ["a number of the future", "1999999999"],
  ["a longer number", "120260501103000"],
])("ignores %s: %s", (_, name) => {
  expect(read(name)).toBeUndefined();
});

test("removes the time from the name", () => {
  expect(timeInName("2026-05-01_10-30-00_ann@example.com", now)?.rest).toBe(" _ann@example.com");
});
