import { expect, test } from "vitest";
import { newSecret, signPayload } from "./sign-payload.ts";

// Example from the reference libraries of the Standard Webhooks specification.
const known = {
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
  secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
};

test("matches the specification's example", () => {
  expect(signPayload(known)).toEqual({
    "webhook-id": known.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("two secrets give two signatures, the new one first", () => {
  const secret = newSecret();
  const both = signPayload({ ...known, secrets: [secret, ...known.secrets] })["webhook-signature"]?.split(" ") ?? [];
  expect(both).toHaveLength(2);
  expect(both[0]).toBe(signPayload({ ...known, secrets: [secret] })["webhook-signature"]);
  expect(both[1]).toBe(signPayload(known)["webhook-signature"]);
});

test("a secret has 256 random bits", () => {
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(newSecret());
});
