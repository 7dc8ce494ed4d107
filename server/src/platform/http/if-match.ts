import type { FastifyRequest } from "fastify";
import { fieldInvalid, ifMatchMissing } from "../errors.ts";

const numberForm = /^(?:W\/)?"?(\d{1,9})"?$/;

/** The number in the If-Match header; undefined without the header. */
export function readIfMatch({ headers }: Pick<FastifyRequest, "headers">): number | undefined {
  const sent = headers["if-match"];
  if (sent === undefined || sent === "*") return undefined;
  const number = numberForm.exec(sent.trim())?.[1];
  if (number === undefined) throw fieldInvalid("if-match", "wrong_form", 'If-Match must be a number such as "4".');
  return Number(number);
}

/** Throws if the header is missing. */
export function requireIfMatch(request: Pick<FastifyRequest, "headers">): number {
  const number = readIfMatch(request);
  if (number === undefined) throw ifMatchMissing();
  return number;
}
