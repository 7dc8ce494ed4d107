import type { WebhookPayload } from "./wire.ts";

export class WebhookError extends Error {
  override name = "WebhookError";
}

/** A verified webhook event, discriminated by `type`. Ignore types that you do not know: more may be added. */
export type WebhookEvent = WebhookPayload;

interface ReceivedWebhook {
  /** The signing secret (`whsec_…`), or several during a rotation. */
  readonly secret: string | readonly string[];
  readonly headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body, before any parsing. */
  readonly body: string | Uint8Array;
  /** Maximum clock difference. Default: 5 minutes. */
  readonly toleranceMs?: number | undefined;
  readonly now?: Date | undefined;
}

/**
 * Verifies the signature of a webhook (Standard Webhooks) and returns its event. Throws a WebhookError if it is
 * invalid.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { secret, body, toleranceMs = 5 * 60_000, now = new Date() } = received;
  const header = headersOf(received.headers);
  const id = header("webhook-id");
  const timestamp = header("webhook-timestamp");
  const signatures = header("webhook-signature")
    .split(" ")
    .flatMap((entry) => (entry.startsWith("v1,") ? [fromBase64(entry.slice(3))] : []));
  const ageMs = now.getTime() - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN);
  if (!(Math.abs(ageMs) <= toleranceMs)) {
    throw new WebhookError("The webhook's timestamp is too old or in the future. Check the clock of this machine.");
  }
  const raw = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), raw);
  for (const candidate of [secret].flat()) {
    const bytes = fromBase64(candidate.replace(/^whsec_/, ""));
    if (!bytes?.length) throw new WebhookError("Invalid secret: expected whsec_ followed by base64.");
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of signatures) {
      // crypto.subtle.verify compares in constant time.
      if (signature && (await crypto.subtle.verify("HMAC", key, signature, signed))) return eventOf(raw);
    }
  }
  throw new WebhookError(
    "No signature matches. Check that the secret belongs to this webhook and that the body is unmodified.",
  );
}

function headersOf(headers: ReceivedWebhook["headers"]): (name: string) => string {
  const get = isHeaders(headers) ? (name: string) => headers.get(name) : caseInsensitive(headers);
  return (name) => {
    const value = get(name);
    if (!value) throw new WebhookError(`The header ${name} is missing.`);
    return value;
  };
}

const isHeaders = (headers: ReceivedWebhook["headers"]): headers is { get(name: string): string | null } =>
  typeof headers.get === "function";

/** Node lowercases header names; some frameworks do not. */
function caseInsensitive(headers: Readonly<Record<string, string | readonly string[] | undefined>>) {
  const all = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name: string) => [all.get(name) ?? []].flat().join(" ");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function eventOf(raw: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(raw)) as WebhookEvent;
  } catch (cause) {
    throw new WebhookError("The body is signed but is not JSON.", { cause });
  }
}
