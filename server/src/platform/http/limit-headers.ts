const header = (description: string, type: "string" | "integer") => ({ description, schema: { type } });

/** What tells a client how much it may ask for (docs/limits.md), as the documentation describes it. */
export const limitHeaders = {
  RateLimitPolicy: header('The limits that hold, such as `"key_requests";q=200;w=1`.', "string"),
  RateLimit: header('What is left of each, such as `"key_requests";r=187;t=1`.', "string"),
  RetryAfter: header("When to send it again, in whole seconds.", "integer"),
};

const ref = (name: keyof typeof limitHeaders) => ({ $ref: `#/components/headers/${name}` });
const limits = { "RateLimit-Policy": ref("RateLimitPolicy"), RateLimit: ref("RateLimit") };
const retry = { "Retry-After": ref("RetryAfter") };

interface Answer {
  headers?: object;
}

/** Adds them to the answers that have them: those to a valid key, and those that are worth another try. */
export function withLimitHeaders<Document extends object>(document: Document): Document {
  const { paths = {} } = document as { paths?: Record<string, Record<string, { responses?: Record<string, Answer> }>> };
  for (const { responses = {} } of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const [status, answer] of Object.entries(responses)) {
      const limited = "429" in responses && status !== "401";
      const retried = status === "429" || status === "503";
      if (limited || retried) answer.headers = { ...answer.headers, ...(limited && limits), ...(retried && retry) };
    }
  }
  return document;
}
