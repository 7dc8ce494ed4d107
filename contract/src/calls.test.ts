import { expect, test } from "vitest";
import { ImportCallFields } from "./calls.ts";

const fields = { campaign_id: "support-fr", conversation_timestamp: "1714557600", agent_email: "ann@example.com" };
const issueOf = (wrong: Record<string, string>) => {
  const parsed = ImportCallFields.safeParse({ ...fields, ...wrong });
  return parsed.error?.issues.map((issue) => issue.message).join("; ");
};

test("metadata is optional", () => {
  expect(ImportCallFields.parse(fields)).toMatchObject({ conversation_timestamp: 1714557600, metadata: [] });
});

test.each([
  ["1714557600000", "send 1714557600"],
  ["2024-05-01T10:00:00Z", "send 1714557600"],
  ["2024-05-01T12:00:00+02:00", "send 1714557600"],
  ["2024-05-01 10:00:00", "if it is in UTC, send 1714557600"],
  ["2024-05-01T10:00:00", "if it is in UTC, send 1714557600"],
  ["Wed, 01 May 2024 10:00:00 GMT", "send 1714557600"],
  ["1714557600.5", "send 1714557600"],
  ["0", "0 is 1970-01-01T00:00:00Z, probably a time that was never set"],
  ["-5", "-5 is 1969-12-31T23:59:55Z"],
  ["-17145576000000000", "from 946684800 (2000-01-01)"],
  ["-1.5", "digits only"],
  [" 1714557600", "send 1714557600"],
  ["01714557600", "send 1714557600"],
  ["+1714557600", "send 1714557600"],
  ["", "such as 1714557600"],
  ["yesterday", "such as 1714557600"],
  ["1e9", "such as 1714557600"],
  ["946684799", "from 946684800 (2000-01-01)"],
  ["99999999999", "2000-01-01"],
  ["171455760", "2000-01-01"],
])("rejects the conversation_timestamp %j with: %s", (value, message) => {
  expect(issueOf({ conversation_timestamp: value })).toContain(message);
});

test("accepts times from 2000-01-01 to one day ahead", () => {
  const tomorrow = Math.floor(Date.now() / 1000) + 24 * 3600;
  expect(issueOf({ conversation_timestamp: "946684800" })).toBeUndefined();
  expect(issueOf({ conversation_timestamp: String(tomorrow - 5) })).toBeUndefined();
  expect(issueOf({ conversation_timestamp: String(tomorrow + 60) })).toContain("ahead");
});

test.each([
  ["[]", undefined],
  ['[{"key":"a","value":""}]', undefined],
  ['[{"key":"","value":"b"}]', "must not be empty"],
  ['[{"key":"a","value":1}]', "must be text"],
  ['{"a":"b"}', "must be an array"],
  ['[["a","b"]]', "exactly the members"],
  ["null", "must be an array"],
  [JSON.stringify(Array(101).fill({ key: "a", value: "b" })), "at most 100 entries"],
  [JSON.stringify([{ key: "a".repeat(129), value: "" }]), "at most 128 characters"],
  [JSON.stringify([{ key: "a", value: "b".repeat(1025) }]), "at most 1024 characters"],
])("metadata %j", (metadata, message) => {
  if (message) expect(issueOf({ metadata })).toContain(message);
  else expect(issueOf({ metadata })).toBeUndefined();
});

test("the message for malformed JSON does not repeat the values in it", () => {
  expect(issueOf({ metadata: '[{"key":"phone","value":"+33123456789"' })).not.toContain("33123");
});

test.each([
  ['[{"key":"a","value":1}]', ', 0, value, must be text: send {"key":"a","value":"1"}'],
  ['[{"key":"a","value":"b"},{"key":"c","value":null,"type":"x"}]', 'send {"key":"c","value":""}'],
  ['{"site":"Lyon","seconds":12}', 'send [{"key":"site","value":"Lyon"},{"key":"seconds","value":"12"}]'],
  ['{"key":"site","value":"Lyon"}', 'send [{"key":"site","value":"Lyon"}]'],
  ['[{"Key":"site","Value":"Lyon"}]', 'send {"key":"site","value":"Lyon"}'],
  ['[{"site":"Lyon"}]', 'send {"key":"site","value":"Lyon"}'],
  ['[["site","Lyon"]]', 'send {"key":"site","value":"Lyon"}'],
  ["[{'key': 'site', 'value': 'Lyon'}]", 'send [{"key":"site","value":"Lyon"}]'],
  ['"[{\\"key\\":\\"site\\",\\"value\\":\\"Lyon\\"}]"', 'send [{"key":"site","value":"Lyon"}]'],
])("the error for the metadata %s shows the corrected value", (metadata, correction) => {
  const issues = ImportCallFields.safeParse({ ...fields, metadata }).error?.issues ?? [];
  expect(issues.map(({ path, message }) => `${path.join(", ").slice("metadata".length)}, ${message}`)[0]).toContain(
    correction,
  );
});

test.each(["null", "5", '"site"', '["site"]', '[{"key":{},"value":"x"}]', '[{"key":"","value":""}]', "site=Lyon"])(
  "the metadata %s has no obvious correction",
  (metadata) => {
    expect(issueOf({ metadata })).not.toContain("send");
  },
);

test("a long correction is cut after its first entry", () => {
  const metadata = JSON.stringify(
    Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`key-${at}`, "x".repeat(90)])),
  );
  const message = issueOf({ metadata }) ?? "";
  expect(message).toContain('send [{"key":"key-0","value":"xxx');
  expect(message.length).toBeLessThan(400);
});
