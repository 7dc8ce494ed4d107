import { expect, test } from "vitest";
import { documentDigest } from "./digest.ts";
import { oneSection, yesNo } from "./testing/scorecard.ts";

test("is the SHA-256 of the canonical JSON with all defaults", async () => {
  // printf '%s' '{"dispute_days":14,"dispute_levels":1,"fail":"zeroes_score","format":"hearback.scorecard/1","name":"Test",
  // "not_applicable":"stays_in_section","passing_score":80,"release":"on_submit","sections":[{"id":"s","questions":[{"id":
  // "greeting","not_applicable":false,"tags":[],"title":"Title of greeting","type":"yes_no","weight":4}],"title":"Section"}]}'
  // without the line breaks, piped into sha256sum
  expect(await documentDigest(oneSection([yesNo("greeting", 4)]))).toBe(
    "d5cc034a824b1591640ce6351ac1fd21a3a7420cd025aa5a8d0dadc3f891c838",
  );
});

test("does not depend on the order of members", async () => {
  const document = oneSection([yesNo("greeting", 4)]);
  const reversed = Object.fromEntries(Object.entries(document).reverse()) as typeof document;
  expect(await documentDigest(reversed)).toBe(await documentDigest(document));
});
