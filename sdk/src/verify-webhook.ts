const toleranceMs = 5 * 60_000;

export class WebhookError extends Error {
  override name = "WebhookError";
}

interface WebhookHeaders {
  get(name: string): string | null;
}

const bytesOf = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/**
 * Checks that a webhook comes from Hearback (Standard Webhooks) and gives its event. `body` is the text as it arrived,
 * before any parsing. Keep the ids that you have seen: an event may arrive more than once.
 */
export async function verifyWebhook<Event = unknown>(
  secret: string,
  headers: WebhookHeaders | Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  now = Date.now(),
): Promise<Event> {
  const header = (name: string) => {
    const value =
      typeof headers.get === "function"
        ? (headers as WebhookHeaders).get(name)
        : (headers as Record<string, unknown>)[name];
    if (typeof value !== "string") throw new WebhookError(`the header ${name} is missing`);
    return value;
  };
  const id = header("webhook-id");
  const timestamp = header("webhook-timestamp");
  const age = now - Number(timestamp) * 1000;
  if (!(Math.abs(age) <= toleranceMs))
    throw new WebhookError("the webhook is too old, or this machine's clock is wrong");
  const key = await crypto.subtle.importKey(
    "raw",
    bytesOf(secret.replace(/^whsec_/, "")),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of header("webhook-signature").split(" ")) {
    const [version, value = ""] = signature.split(",");
    // crypto's own comparison takes the same time for every wrong signature.
    if (version === "v1" && (await crypto.subtle.verify("HMAC", key, bytesOf(value), signed))) {
      return JSON.parse(body) as Event;
    }
  }
  throw new WebhookError("no signature is right: is it the secret of this webhook?");
}
