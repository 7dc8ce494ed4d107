import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { operatorIn } from "../../platform/actor.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { createApiKey } from "./create-api-key.ts";
import { openKeyLookup } from "./identify-api-key.ts";
import { revokeApiKey } from "./revoke-api-key.ts";

const { app, caller } = await openTestApp();
const { workspaceId } = caller;
const by = operatorIn(workspaceId);
const identify = openKeyLookup(app);

test("a key resolves to its workspace and scopes", async () => {
  const { key, id } = await createApiKey(app, by, { name: "a", scopes: ["import", "read"] });
  expect(await identify(key)).toMatchObject({ workspaceId, keyId: id, scopes: ["import", "read"] });
});

test("a revoked key is refused within a second, even by a process that has it cached", async () => {
  const { key, id } = await createApiKey(app, by, { name: "a", scopes: ["import"] });
  await identify(key);
  await revokeApiKey(app, by, id, { keepLast: true });
  await sleep(1000);
  await expect(identify(key)).rejects.toMatchObject({ code: "unauthenticated" });
});

test("a key expires on time, even while cached", async () => {
  const expiresAt = new Date(Date.now() + 300);
  const { key } = await createApiKey(app, by, { name: "a", scopes: ["import"], expiresAt });
  await identify(key);
  await sleep(320);
  await expect(identify(key)).rejects.toMatchObject({ code: "unauthenticated" });
});

test("missing, malformed and unknown keys fail with the same error", async () => {
  const { key } = await createApiKey({ ...app, config: { ...app.config, cell: "other" } }, by, {
    name: "a",
    scopes: ["import"],
  });
  const refusals = await Promise.all(
    [undefined, "", "junk", key, ["a", "b"]].map((wrong) => identify(wrong).catch((error) => error.message)),
  );
  expect(new Set(refusals).size).toBe(1);
});
