import type { App } from "../../platform/app.ts";
import type { SecretPlace } from "../../platform/secret-box.ts";
import type { Webhook } from "../webhook-body.ts";

type Row = Pick<Webhook, "workspaceId" | "id">;
type Secrets = Row & Pick<Webhook, "secret" | "previousSecret" | "previousSecretUntil">;

/** Location of a webhook's secrets, which their encryption is bound to. */
export const webhookSecretLocation = ({ workspaceId, id }: Row): SecretPlace => ({
  table: "webhook_endpoint",
  workspaceId,
  rowId: id,
});

/** The secrets that sign payloads at this time, newest first. Two during the overlap after a rotation. */
export function signingSecrets({ secretBox }: App, webhook: Secrets, at: Date): string[] {
  const { secret, previousSecret, previousSecretUntil } = webhook;
  const overlaps = previousSecret && previousSecretUntil && previousSecretUntil > at;
  const stored = overlaps ? [secret, previousSecret] : [secret];
  return stored.map((encrypted) => secretBox.decrypt(encrypted, webhookSecretLocation(webhook)));
}
