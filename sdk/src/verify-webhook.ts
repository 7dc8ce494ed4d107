export class WebhookError extends Error {
  override name = "WebhookError";
}

/** What a webhook is told. */
export interface WebhookEvent {
  /** Keep those that you have seen: an event may arrive more than once. */
  readonly id: string;
  /** More may come: ignore what you do not know. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Arrived {
  /** Of the webhook (`whsec_…`); several while one takes the other's place. */
  readonly secret: string | readonly string[];
  readonly headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it arrived, before any parsing. */
  readonly body: string | Uint8Array;
  /** How far the sender's clock may be from ours; 5 minutes if absent. */
  readonly toleranceMs?: number | undefined;
  readonly now?: Date | undefined;
}

/** Checks that a webhook comes from Hearback (Standard Webhooks) and gives its event; otherwise a WebhookError. */
export async function verifyWebhook(arrived: Arrived): Promise<WebhookEvent> {
  const { secret, body, toleranceMs = 5 * 60_000, now = new Date() } = arrived;
  const header = headersOf(arrived.headers);
  const id = header("webhook-id");
  const timestamp = header("webhook-timestamp");
  const signatures = header("webhook-signature")
    .split(" ")
    .flatMap((entry) => (entry.startsWith("v1,") ? [fromBase64(entry.slice(3))] : []));
  const ageMs = now.getTime() - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN);
  if (!(Math.abs(ageMs) <= toleranceMs)) {
    throw new WebhookError("The webhook is too old or from the future: look at the clock of this machine.");
  }
  const raw = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), raw);
  for (const one of [secret].flat()) {
    const bytes = fromBase64(one.replace(/^whsec_/, ""));
    if (!bytes?.length) throw new WebhookError("The secret is none: it begins with whsec_ and goes on in base64.");
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of signatures) {
      // crypto's own comparison takes the same time for every wrong signature.
      if (signature && (await crypto.subtle.verify("HMAC", key, signature, signed))) return eventOf(raw);
    }
  }
  throw new WebhookError("No signature is right: is it the secret of this webhook, and the body as it arrived?");
}

function headersOf(headers: Arrived["headers"]): (name: string) => string {
  const look = isHeaders(headers) ? (name: string) => headers.get(name) : lookIn(headers);
  return (name) => {
    const value = look(name);
    if (!value) throw new WebhookError(`The header ${name} is missing.`);
    return value;
  };
}

const isHeaders = (headers: Arrived["headers"]): headers is { get(name: string): string | null } =>
  typeof headers.get === "function";

/** Node's are in small letters already; those of some frameworks are not. */
function lookIn(headers: Readonly<Record<string, string | readonly string[] | undefined>>) {
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

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function eventOf(raw: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(raw)) as WebhookEvent;
  } catch (cause) {
    throw new WebhookError("The body is signed but no JSON.", { cause });
  }
}
