import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { verifyWebhook, WebhookError } from "./index.ts";

const secret = `whsec_${Buffer.from("a secret of 24 bytes or so").toString("base64")}`;
const other = `whsec_${Buffer.from("another secret of some len").toString("base64")}`;
const body = '{"id":"evt_1","type":"call.ready","timestamp":"2026-11-15T08:00:00.000Z","data":{"name":"Zoë"}}';
const now = new Date("2026-11-15T08:00:00Z");

function sent(by: string | readonly string[] = secret, at = now) {
  const signatures = [by].flat().map((one) => new Webhook(one).sign("evt_1", at, body));
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

test.each([
  ["headers of Node", { secret, headers: sent(), body }],
  ["headers of fetch", { secret, headers: new Headers(sent()), body }],
  ["headers in capitals", { secret, headers: upper(sent()), body }],
  ["the bytes of the body", { secret, headers: sent(), body: Buffer.from(body) }],
  ["the old and the new secret at the receiver", { secret: [other, secret], headers: sent(), body }],
  ["the old and the new signature at the sender", { secret, headers: sent([other, secret]), body }],
  ["a signature of a later version beside it", { secret, headers: beside(sent(), "v2,AAAA v1a,%%"), body }],
  ["a clock that is four minutes slow", { secret, headers: sent(secret, minutes(4)), body }],
  ["an age that is allowed", { secret, headers: sent(secret, minutes(-60)), body, toleranceMs: 7_200_000 }],
])("takes a webhook with %s", async (_, arrived) => {
  expect(await verifyWebhook({ now, ...arrived })).toEqual(JSON.parse(body));
});

test.each([
  ["another secret", { secret: other, headers: sent(), body }, /No signature is right/],
  ["another body", { secret, headers: sent(), body: `${body} ` }, /No signature is right/],
  ["another id", { secret, headers: { ...sent(), "webhook-id": "evt_2" }, body }, /No signature is right/],
  [
    "another time",
    { secret, headers: { ...sent(), "webhook-timestamp": "1794729599" }, body },
    /No signature is right/,
  ],
  [
    "a signature of another version",
    { secret, headers: { ...sent(), "webhook-signature": "v2,AAAA" }, body },
    /No sign/,
  ],
  ["a signature that is none", { secret, headers: { ...sent(), "webhook-signature": "v1,%%" }, body }, /No signature/],
  [
    "no signature",
    { secret, headers: { ...sent(), "webhook-signature": undefined }, body },
    /webhook-signature is miss/,
  ],
  ["no headers", { secret, headers: new Headers(), body }, /webhook-id is missing/],
  ["an old time", { secret, headers: sent(secret, minutes(-6)), body }, /too old/],
  ["a time in the future", { secret, headers: sent(secret, minutes(6)), body }, /future/],
  ["a time that is none", { secret, headers: { ...sent(), "webhook-timestamp": "now" }, body }, /too old/],
  ["a secret that is none", { secret: "whsec_%", headers: sent(), body }, /secret is none/],
  ["an empty secret", { secret: "", headers: sent(), body }, /secret is none/],
])("refuses a webhook with %s", async (_, arrived, why) => {
  const refused = verifyWebhook({ now, ...arrived });
  await expect(refused).rejects.toThrow(WebhookError);
  await expect(refused).rejects.toThrow(why);
});

function upper(headers: Record<string, string>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}

function beside(headers: ReturnType<typeof sent>, more: string) {
  return { ...headers, "webhook-signature": `${more} ${headers["webhook-signature"]}` };
}
