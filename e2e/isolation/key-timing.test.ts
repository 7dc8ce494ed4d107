import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../support/http/http.ts";
import { keyGenerator, makeUnknownKey } from "../support/http/keys.ts";
import { compareTimes } from "../support/measuring/timing.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { say } from "../support/waiting.ts";

/*
 * Keys cannot be found by timing the responses.
 */

let stack: Stack;
let api: ApiProcess;
let manageKey: string;

beforeAll(async () => {
  stack = await openStack();
  // Thousands of requests from one address.
  api = await stack.startApi({ env: unlimited });
  const name = ["--name", "manage", "--scope", "manage", "read", "--workspace", stack.workspaceId];
  manageKey = (await stack.command<{ key: string }>("key", "create", ...name, "--json")).key;
}, 120_000);
afterAll(async () => {
  await stack?.stop();
});

const rounds = scale(500, 1_500, 10_000);
/** Of Welch's t statistic. Other tests run beside this one. */
const limit = scale(3 * 4.5, 4.5, 4.5);
const each = <T>(things: readonly T[]) => {
  let next = 0;
  return () => things[next++ % things.length] as T;
};

test("the measurement is sensitive: malformed keys are rejected measurably faster than unknown ones", async () => {
  const { t } = await compareTimes(`${api.baseUrl}/campaigns`, 300, random(), [
    () => "hb_c0_x",
    () => makeUnknownKey(),
  ]);
  say(`malformed against unknown keys, 2 x 300: t ${t.toFixed(2)}`);
  expect(t).toBeGreaterThan(4.5);
}, 120_000);

test("ended and unknown keys are rejected in the same time", async () => {
  const count = 20;
  const ended: string[] = [];
  const headers = { "x-api-key": manageKey, "content-type": "application/json" };
  for (let n = 0; n < count; n++) {
    const body = JSON.stringify({ name: "reader", scopes: ["read"] });
    const { id, key } = (
      await send<{ id: string; key: string }>(`${api.baseUrl}/keys`, { method: "POST", headers, body })
    ).body;
    ended.push(key);
    // Half revoked, half expired.
    if (n % 2) await send(`${api.baseUrl}/keys/${id}`, { method: "DELETE", headers: { "x-api-key": manageKey } });
    else await stack.adminDb.query("update api_key set expires_at = now() - interval '1 day' where id = $1", [id]);
  }
  const unknown = Array.from({ length: count }, () => makeUnknownKey());
  say(`seed ${seed}`);
  const { t, medianMs } = await compareTimes(`${api.baseUrl}/campaigns`, rounds, random(), [
    each(unknown),
    each(ended),
  ]);
  say(
    `unknown against ended keys, 2 x ${rounds}: t ${t.toFixed(2)}, medians ${medianMs.map((ms) => ms.toFixed(3))} ms`,
  );
  expect(t).toBeLessThan(limit);
}, 600_000);

test("a key whose hash shares a prefix with a stored hash is rejected in the same time", async () => {
  const count = 8;
  const hash = createHash("sha256").update(manageKey).digest();
  const near: string[] = [];
  for (const next = keyGenerator(makeUnknownKey()); near.length < count; ) {
    const key = next();
    const other = createHash("sha256").update(key).digest();
    if (other[0] === hash[0] && other[1] === hash[1]) near.push(key);
  }
  const far = Array.from({ length: count }, () => makeUnknownKey());
  say(`seed ${seed}`);
  const { t, medianMs } = await compareTimes(`${api.baseUrl}/campaigns`, rounds, random(), [each(far), each(near)]);
  say(`far against near hashes, 2 x ${rounds}: t ${t.toFixed(2)}, medians ${medianMs.map((ms) => ms.toFixed(3))} ms`);
  expect(t).toBeLessThan(limit);
}, 600_000);
