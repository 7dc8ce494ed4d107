import { Problem } from "@hearback/contract";

const meanings = {
  400: "The request cannot be taken apart, or something required is missing.",
  401: "No valid API key.",
  403: "The key has not the scope.",
  404: "What the request names does not exist in this workspace.",
  409: "As things stand it cannot be done; the code says why.",
  410: "It was there and is not any more; the code says what.",
  413: "Larger than the limit.",
  416: "There are no such bytes.",
  422: "The request is complete and a value is wrong; all wrong values are named at once.",
  429: "Over a limit of the key or of the workspace; the code says which, Retry-After when to send it again.",
  500: "A defect of the service. The body holds the request id and nothing else.",
  503: "PostgreSQL or the object store cannot answer now; Retry-After says when to send it again.",
} as const;

/** An error answer of a route in words of its own. */
export const problemAnswer = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: Problem } },
});

const text = (description: string) => ({ description, schema: { type: "string" } });

/** What tells a client how much it may still ask for (docs/limits.md). */
const limitHeaders = {
  "Retry-After": { description: "Whole seconds, at least 1.", schema: { type: "integer", minimum: 1 } },
  RateLimit: text('What is left of each limit, such as `"key";r=0;t=1`. On every answer to a valid key.'),
  "RateLimit-Policy": text('The limits themselves, such as `"key";q=200;w=1`. On every answer to a valid key.'),
};

/** The error answers of a route, for its documentation. Whoever needs a key can be over its limits. */
export function errorAnswers(...statuses: Exclude<keyof typeof meanings, 429>[]) {
  const answers = Object.fromEntries(statuses.map((status) => [status, problemAnswer(meanings[status])]));
  if (!statuses.includes(401)) return answers;
  return { ...answers, 429: { ...problemAnswer(meanings[429]), headers: limitHeaders } };
}
