import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

export const newSecret = (): string => `${prefix}${randomBytes(32).toString("base64")}`;

interface SignInput {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
  /** Two during the overlap after a rotation. */
  readonly secrets: readonly string[];
}

/** Returns the signature headers (Standard Webhooks). */
export function signPayload({ id, at, body, secrets }: SignInput): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
