import { describe, expect, test } from "vitest";
import { detailsOf, expectPartsNamed, expectProblem } from "../support/http/expect-problem.ts";
import { callParts, importCall, postCall } from "../support/http/service.ts";
import { target } from "../support/stack/target.ts";

const inDays = (days: number) => Math.floor(Date.now() / 1000) + Math.round(days * 86_400);

async function refused(value: string) {
  const answer = await postCall(target, callParts(target, { conversation_timestamp: value }));
  const problem = expectProblem(answer, 422, "fields_invalid");
  expectPartsNamed(problem, "conversation_timestamp");
  return detailsOf(problem, "conversation_timestamp");
}

describe("docs/integrating.md: conversation_timestamp", () => {
  test.each(["1714557600", "1000000000", "1699999999"])("accepts Unix seconds: %s", async (value) => {
    expect((await importCall(target, { conversation_timestamp: value })).conversation_timestamp).toBe(Number(value));
  });
});

describe("docs/errors.md: fields_invalid, conversation_timestamp", () => {
  test.each([
    ["2000-01-01, the first second", 946_684_800],
    ["now", inDays(0)],
    ["almost one day ahead", inDays(1) - 300],
  ])("accepts 2000-01-01 to one day ahead: %s", async (_, seconds) => {
    const call = await importCall(target, { conversation_timestamp: String(seconds) });
    expect(call.conversation_timestamp, "as sent").toBe(seconds);
    expect(Date.parse(call.conversation_time)).toBe(seconds * 1000);
    expect(call.conversation_time, "RFC 3339, UTC").toMatch(/(Z|\+00:00)$/);
  });

  test.each([
    ["the second before 2000-01-01", 946_684_799],
    ["1970", 0],
    ["before 1970", -1_714_557_600],
    ["more than one day ahead", inDays(1) + 300],
    ["next year", inDays(366)],
    ["the year 5138", 99_999_999_999],
  ])("rejects with 422: %s", async (_, seconds) => {
    await refused(String(seconds));
  });

  test("milliseconds: 422, and the detail contains the right value", async () => {
    expect(await refused("1714557600000")).toMatch(/\b1714557600\b/);
    expect(await refused("1714557600999")).toMatch(/\b1714557600\b/);
  });

  test("an ISO date: 422, and the detail contains the right value", async () => {
    expect(await refused("2024-05-01T10:00:00Z")).toMatch(/\b1714557600\b/);
    expect(await refused("2024-05-01T12:00:00+02:00")).toMatch(/\b1714557600\b/);
  });

  test.each(["2024-05-01T10:00:00", "2024-05-01 10:00:00", "2024-05-01"])(
    "a date without a time zone: 422: %s",
    async (value) => {
      expect(await refused(value)).toMatch(/\b\d{10}\b/);
    },
  );

  test.each([
    ...["1714557600.5", "1714557600.0", "1.7145576e9", "0x6632140F", "1,714,557,600", "1714557600s"],
    ...["17145576000000000", "1714557600000000000", "NaN", "Infinity", "null", "yesterday", "", " ", "--1714557600"],
  ])("not an integer: %j is 422", async (value) => {
    await refused(value);
  });
});
