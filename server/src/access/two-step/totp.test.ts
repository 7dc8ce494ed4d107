import { expect, test } from "vitest";
import { matchingStep, newTotpSecret, toBase32, totpCode, totpStep, totpUri } from "./totp.ts";

const rfcSecret = toBase32(Buffer.from("12345678901234567890"));

// RFC 6238, appendix B: the last six of eight digits.
test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at %i s the code of the RFC is %s", (seconds, code) => {
  expect(totpCode(rfcSecret, totpStep(new Date(seconds * 1000)))).toBe(code);
});

test("accepts only the current and adjacent steps", () => {
  const now = new Date("2027-01-01T12:00:10Z");
  const step = totpStep(now);
  const offsets = [-2, -1, 0, 1, 2].filter(
    (offset) => matchingStep(rfcSecret, totpCode(rfcSecret, step + offset), now, null) === step + offset,
  );
  expect(offsets).toEqual([-1, 0, 1]);
});

test("rejects steps up to the last accepted one", () => {
  const now = new Date("2027-01-01T12:00:10Z");
  const step = totpStep(now);
  const accepted = (offset: number, after: number) =>
    matchingStep(rfcSecret, totpCode(rfcSecret, step + offset), now, after);
  expect([accepted(0, step), accepted(-1, step), accepted(1, step)]).toEqual([undefined, undefined, step + 1]);
});

test("accepts codes with spaces and hyphens, and rejects anything but six digits", () => {
  const now = new Date(59_000);
  expect(matchingStep(rfcSecret, "287 082", now, null)).toBe(1);
  expect(matchingStep(rfcSecret, " 287-082 ", now, null)).toBe(1);
  for (const wrong of ["", "28708", "2870822", "٢٨٧٠٨٢", "abcdef"]) {
    expect(matchingStep(rfcSecret, wrong, now, null)).toBeUndefined();
  }
});

test("a secret has 160 random bits, and the URI contains service and account", () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  const uri = new URL(totpUri("ABC", "ann@example.com (Acme & Co)"));
  expect(decodeURIComponent(uri.pathname)).toBe("/Hearback:ann@example.com (Acme & Co)");
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: "ABC",
    issuer: "Hearback",
    digits: "6",
    period: "30",
  });
});
