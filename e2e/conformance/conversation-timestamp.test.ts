import { describe, expect, test } from "vitest";
import { detailsOf, expectPartsNamed, expectProblem } from "../support/expect-problem.ts";
import { callParts, importCall, postCall } from "../support/service.ts";
import { target } from "../support/target.ts";

const inDays = (days: number) => Math.floor(Date.now() / 1000) + Math.round(days * 86_400);

async function refused(value: string) {
  const answer = await postCall(target, callParts(target, { conversation_timestamp: value }));
  const problem = expectProblem(answer, 422, "fields_invalid");
  expectPartsNamed(problem, "conversation_timestamp");
  return detailsOf(problem, "conversation_timestamp");
}

describe("seed-interface: Call (audio), conversation_timestamp", () => {
  test.each(["1714557600", "1000000000", "1699999999"])(
    "ten-digit integers in the style of Unix epoch seconds: %s",
    async (value) => {
      expect((await importCall(target, { conversation_timestamp: value })).conversation_timestamp).toBe(Number(value));
    },
  );
});

describe("interface: POST /calls/audio, conversation_timestamp", () => {
  test.each([
    ["2000-01-01, the first second", 946_684_800],
    ["now", inDays(0)],
    ["nearly one day ahead of now", inDays(1) - 300],
  ])("from 2000-01-01 to one day ahead of now: %s", async (_, seconds) => {
    const call = await importCall(target, { conversation_timestamp: String(seconds) });
    expect(call.conversation_timestamp, "as sent").toBe(seconds);
    expect(Date.parse(call.conversation_time)).toBe(seconds * 1000);
    expect(call.conversation_time, "RFC 3339, UTC").toMatch(/(Z|\+00:00)$/);
  });

  test.each([
    ["the second before 2000-01-01", 946_684_799],
    ["1970", 0],
    ["before 1970", -1_714_557_600],
    ["more than one day ahead of now", inDays(1) + 300],
    ["next year", inDays(366)],
    ["the year 5138", 99_999_999_999],
  ])("from 2000-01-01 to one day ahead of now: %s is 422", async (_, seconds) => {
    await refused(String(seconds));
  });

  test("Thirteen digits are milliseconds: 422, and the detail says the value to send", async () => {
    expect(await refused("1714557600000")).toMatch(/\b1714557600\b/);
    expect(await refused("1714557600999")).toMatch(/\b1714557600\b/);
  });

  test("A date in words: 422, and the detail says the value to send", async () => {
    expect(await refused("2024-05-01T10:00:00Z")).toMatch(/\b1714557600\b/);
    expect(await refused("2024-05-01T12:00:00+02:00")).toMatch(/\b1714557600\b/);
  });

  test.each(["2024-05-01T10:00:00", "2024-05-01 10:00:00", "2024-05-01"])(
    "A date without a zone: 422, likewise: %s",
    async (value) => {
      expect(await refused(value)).toMatch(/\b\d{10}\b/);
    },
  );

  test.each([
    ...["1714557600.5", "1714557600.0", "1.7145576e9", "0x6632140F", "1,714,557,600", "1714557600s"],
    ...["17145576000000000", "1714557600000000000", "NaN", "Infinity", "null", "yesterday", "", " ", "--1714557600"],
  ])("Unix seconds, an integer: %j is 422", async (value) => {
    await refused(value);
  });
});
