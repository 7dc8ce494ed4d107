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

/** The error answers of a route, for its documentation. Whoever needs a key can be over its limits. */
export function errorAnswers(...statuses: Exclude<keyof typeof meanings, 429>[]) {
  const all = statuses.includes(401) ? [...statuses, 429 as const] : statuses;
  return Object.fromEntries(all.map((status) => [status, problemAnswer(meanings[status])]));
}
