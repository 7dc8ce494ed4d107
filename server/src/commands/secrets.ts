import { type Command, InvalidArgumentError } from "commander";
import { countStaleTotpSecrets, encryptTotpSecrets } from "../access/two-step/encrypt-totp-secrets.ts";
import { countStaleDrawKeys, encryptDrawKeys } from "../plans/draws/encrypt-draw-keys.ts";
import type { App } from "../platform/app.ts";
import { ConfigError } from "../platform/config.ts";
import { newEncryptionKey } from "../platform/secret-box.ts";
import { countStaleSecrets } from "../webhooks/endpoint/count-stale-secrets.ts";
import { encryptWebhookSecrets } from "../webhooks/endpoint/encrypt-webhook-secrets.ts";
import { workspaceIds } from "../workspaces/list-workspaces.ts";
import { pluralize, print, progress } from "./support/output.ts";
import type { WithApp } from "./support/with-app.ts";

function aKeyId(text: string): string {
  if (!/^[a-z0-9-]{1,32}$/.test(text))
    throw new InvalidArgumentError("Use 1 to 32 lowercase letters, digits and hyphens.");
  return text;
}

/** Key id with the current date: sorts by time and shows the operator when the key was created. */
export const todaysKeyId = () => `k${new Date().toISOString().slice(0, 10)}`;

/** Re-encrypts all secrets with the first key. Commits per workspace, so that an interrupted run can be repeated. */
async function rotate(app: App, json: boolean | undefined): Promise<void> {
  if (!app.secretBox.encrypts) {
    throw new ConfigError("ENCRYPTION_KEYS is not set. Run `hearback-server secrets new-key` to create a key.");
  }
  const show = progress("encrypted");
  let webhooks = 0;
  let apps = 0;
  let draws = 0;
  for await (const id of workspaceIds(app.db)) {
    webhooks += await encryptWebhookSecrets(app, id);
    apps += await encryptTotpSecrets(app, id);
    draws += await encryptDrawKeys(app, id);
    show(webhooks + apps + draws);
  }
  const keyId = app.config.encryptionKeys[0]?.id;
  const message = `Encrypted the secrets of ${pluralize(webhooks, "webhook")}, ${pluralize(apps, "authenticator app")} and ${pluralize(draws, "draw")} with the key ${keyId}. This database no longer needs the older keys; backups may still need them.`;
  print({ key_id: keyId, webhooks, authenticator_apps: apps, draws }, message, json);
}

export function secretCommands(program: Command, withApp: WithApp): void {
  const secrets = program.command("secrets").description("encryption of stored secrets (ENCRYPTION_KEYS)");

  secrets
    .command("new-key")
    .description("print a new key for ENCRYPTION_KEYS; requires no database")
    .option("--id <id>", "key id; default: today's date", aKeyId)
    .action(({ id }: { id?: string }) => {
      const key = newEncryptionKey(id ?? todaysKeyId());
      print(key, key, false);
    });

  secrets
    .command("rotate")
    .description("encrypt every stored secret with the first key of ENCRYPTION_KEYS; safe to interrupt and repeat")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nAdd the new key before the old one, restart every process, then run this command:\n  ENCRYPTION_KEYS=new:…,old:…",
    )
    .action(({ json }: { json?: boolean }) => withApp((app) => rotate(app, json)));
}

/** For `doctor`: checks that every stored secret is encrypted with the current key. */
export async function examineSecrets(app: App): Promise<{ ok: boolean; detail: string }> {
  const total = { stale: 0, unreadable: 0 };
  for await (const id of workspaceIds(app.db)) {
    for (const count of [countStaleSecrets, countStaleTotpSecrets, countStaleDrawKeys]) {
      const { stale, unreadable } = await count(app, id);
      total.stale += stale;
      total.unreadable += unreadable;
    }
  }
  if (total.unreadable > 0) {
    const detail = `${pluralize(total.unreadable, "secret is", "secrets are")} encrypted with a key that ENCRYPTION_KEYS lacks. Add that key, or rotate the affected secrets`;
    return { ok: false, detail };
  }
  if (!app.secretBox.encrypts) {
    const detail =
      "ENCRYPTION_KEYS is not set, so secrets are stored in plain text and every copy of the database contains them. Set it to the output of `hearback-server secrets new-key`, restart, then run `hearback-server secrets rotate`";
    return { ok: false, detail };
  }
  if (total.stale > 0) {
    const detail = `${pluralize(total.stale, "secret is", "secrets are")} in plain text or encrypted with an older key. Run \`hearback-server secrets rotate\``;
    return { ok: false, detail };
  }
  return { ok: true, detail: `stored secrets are encrypted with the key ${app.config.encryptionKeys[0]?.id}` };
}
