import { expect, test } from "vitest";
import { examineSecrets } from "../../commands/secrets.ts";
import { newEncryptionKey, openSecretBox, parseEncryptionKeys } from "../../platform/secret-box.ts";
import { openJsonClient } from "../../testing/json-client.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { encryptWebhookSecrets } from "./encrypt-webhook-secrets.ts";
import { signingSecrets } from "./webhook-secret.ts";

const first = newEncryptionKey("first");
const service = await openTestApp({ ENCRYPTION_KEYS: first });
const { app, admin, key, caller } = service;
const ask = openJsonClient(service, await key("manage"));
const url = "https://example.com/hooks";
const withKeys = (...keys: string[]) => ({
  ...app,
  secretBox: openSecretBox(parseEncryptionKeys(keys.join(",")) ?? []),
});

async function stored(id: string) {
  const { rows } = await admin.query("select * from webhook_endpoint where id = $1", [id]);
  const [row] = rows;
  return {
    text: JSON.stringify(row),
    webhook: {
      workspaceId: row.workspace_id,
      id: row.id,
      secret: row.secret,
      previousSecret: row.previous_secret,
      previousSecretUntil: row.previous_secret_until,
    },
  };
}

test("secrets are stored encrypted, and the secret in the response signs the payloads", async () => {
  const { id, secret } = (await ask("POST", "/webhooks", { url })).body;
  const before = await stored(id);
  expect(before.webhook.secret).toMatch(/^aes256gcm\.first\./);
  expect(before.text).not.toContain(secret.slice("whsec_".length));
  expect(signingSecrets(app, before.webhook, new Date())).toEqual([secret]);

  const { secret: next } = (await ask("POST", `/webhooks/${id}/rotate-secret`)).body;
  const after = await stored(id);
  expect(after.text).not.toMatch(/whsec_/);
  expect(signingSecrets(app, after.webhook, new Date())).toEqual([next, secret]);
});

test("plain text secrets keep working and are encrypted once by a rotation", async () => {
  const { id } = (await ask("POST", "/webhooks", { url })).body;
  const plain = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  await admin.query("update webhook_endpoint set secret = $2 where id = $1", [id, plain]);
  expect(signingSecrets(app, (await stored(id)).webhook, new Date())).toEqual([plain]);
  expect(await examineSecrets(app)).toMatchObject({ ok: false, detail: expect.stringContaining("secrets rotate") });

  expect(await encryptWebhookSecrets(app, caller.workspaceId)).toBe(1);
  expect((await stored(id)).webhook.secret).toMatch(/^aes256gcm\.first\./);
  expect(signingSecrets(app, (await stored(id)).webhook, new Date())).toEqual([plain]);
  expect(await encryptWebhookSecrets(app, caller.workspaceId)).toBe(0);
  expect(await examineSecrets(app)).toMatchObject({ ok: true });
});

test("after a rotation with both keys, the old key is no longer needed", async () => {
  const { id, secret } = (await ask("POST", "/webhooks", { url })).body;
  const second = newEncryptionKey("second");
  expect(await examineSecrets(withKeys(second))).toMatchObject({ ok: false, detail: expect.stringMatching(/lacks/) });
  expect(await encryptWebhookSecrets(withKeys(second, first), caller.workspaceId)).toBeGreaterThan(0);
  const { webhook } = await stored(id);
  expect(webhook.secret).toMatch(/^aes256gcm\.second\./);
  expect(signingSecrets(withKeys(second), webhook, new Date())).toEqual([secret]);
});

test("doctor reports a missing encryption key", async () => {
  const none = await openTestApp();
  expect(await examineSecrets(none.app)).toMatchObject({ ok: false, detail: expect.stringMatching(/plain text/) });
});
