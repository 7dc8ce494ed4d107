import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { verifyWebhook, WebhookError } from "./index.ts";

const secret = `whsec_${Buffer.from("a secret of 24 bytes or so").toString("base64")}`;
const other = `whsec_${Buffer.from("another secret of some len").toString("base64")}`;
const body = '{"id":"evt_1","type":"call.ready","timestamp":"2026-11-15T08:00:00.000Z","data":{"name":"Zoë"}}';
const now = new Date("2026-11-15T08:00:00Z");

function sent(by: string | readonly string[] = secret, at = now) {
  const signatures = [by].flat().map((key) => new Webhook(key).sign("evt_1", at, body));
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

test.each([
  ["Node headers", { secret, headers: sent(), body }],
  ["fetch headers", { secret, headers: new Headers(sent()), body }],
  ["uppercase headers", { secret, headers: upper(sent()), body }],
  ["the body as bytes", { secret, headers: sent(), body: Buffer.from(body) }],
  ["the old and the new secret at the receiver", { secret: [other, secret], headers: sent(), body }],
  ["the old and the new signature at the sender", { secret, headers: sent([other, secret]), body }],
  ["an additional signature of a later version", { secret, headers: beside(sent(), "v2,AAAA v1a,%%"), body }],
  ["a clock that is four minutes behind", { secret, headers: sent(secret, minutes(4)), body }],
  ["an age within the tolerance", { secret, headers: sent(secret, minutes(-60)), body, toleranceMs: 7_200_000 }],
])("accepts a webhook with %s", async (_, received) => {
  expect(await verifyWebhook({ now, ...received })).toEqual(JSON.parse(body));
});

test.each([
  ["another secret", { secret: other, headers: sent(), body }, /No signature matches/],
  ["another body", { secret, headers: sent(), body: `${body} ` }, /No signature matches/],
  ["another id", { secret, headers: { ...sent(), "webhook-id": "evt_2" }, body }, /No signature matches/],
  ["another time", { secret, headers: { ...sent(), "webhook-timestamp": "1794729599" }, body }, /No signature matches/],
  [
    "a signature of another version",
    { secret, headers: { ...sent(), "webhook-signature": "v2,AAAA" }, body },
    /No sign/,
  ],
  ["a malformed signature", { secret, headers: { ...sent(), "webhook-signature": "v1,%%" }, body }, /No signature/],
  [
    "no signature",
    { secret, headers: { ...sent(), "webhook-signature": undefined }, body },
    /webhook-signature is miss/,
  ],
  ["no headers", { secret, headers: new Headers(), body }, /webhook-id is missing/],
  ["an old time", { secret, headers: sent(secret, minutes(-6)), body }, /too old/],
  ["a time in the future", { secret, headers: sent(secret, minutes(6)), body }, /future/],
  ["a malformed time", { secret, headers: { ...sent(), "webhook-timestamp": "now" }, body }, /too old/],
  ["a malformed secret", { secret: "whsec_%", headers: sent(), body }, /Invalid secret/],
  ["an empty secret", { secret: "", headers: sent(), body }, /Invalid secret/],
])("rejects a webhook with %s", async (_, received, message) => {
  const verified = verifyWebhook({ now, ...received });
  await expect(verified).rejects.toThrow(WebhookError);
  await expect(verified).rejects.toThrow(message);
});

function upper(headers: Record<string, string>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}

function beside(headers: ReturnType<typeof sent>, more: string) {
  return { ...headers, "webhook-signature": `${more} ${headers["webhook-signature"]}` };
}
