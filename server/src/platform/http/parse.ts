import type { Issue } from "@hearback/contract";
import type { z } from "zod";
import { fieldsInvalid, jsonMalformed, memberMissing, type partMissing } from "../errors.ts";

const codeOf: Record<string, string> = {
  invalid_type: "wrong_type",
  too_big: "too_long",
  too_small: "too_short",
  unrecognized_keys: "unknown_member",
  invalid_value: "not_allowed",
};

type ZodIssue = z.core.$ZodIssue;

function toIssue(issue: ZodIssue): Issue {
  if (issue.code === "unrecognized_keys" && issue.path.length === 0) {
    const part = issue.keys.join(", ").slice(0, 200);
    return { part, code: "unknown_member", detail: `${part} is unknown. Remove it.` };
  }
  const [part, ...inside] = issue.path;
  const place = inside.map((step) => (typeof step === "number" ? `entry ${step + 1}` : String(step))).join(", ");
  const own = issue.code === "custom" ? (issue.params?.code as string | undefined) : undefined;
  const name = String(part ?? "");
  return {
    part: name,
    code: own ?? codeOf[issue.code] ?? "invalid",
    detail: `${name}${place && `, ${place},`} ${issue.message}.`,
  };
}

interface ParseOptions {
  /** The error for missing required values. */
  readonly missing?: typeof partMissing | typeof memberMissing;
  /** Issues found before parsing, reported together with the schema's. */
  readonly alsoWrong?: readonly Issue[];
  /** Missing parts that the schema does not cover, such as the file. */
  readonly alsoMissing?: readonly string[];
}

/** Parses values with the schema. A missing value is an error 400, an invalid one an error 422. */
export function parseFields<Schema extends z.ZodObject>(
  schema: Schema,
  values: Record<string, unknown>,
  { missing = memberMissing, alsoWrong = [], alsoMissing = [] }: ParseOptions = {},
): z.output<Schema> {
  const parsed = schema.safeParse(values);
  const alreadyReported = new Set(alsoWrong.map((issue) => issue.part));
  const issues = (parsed.error?.issues ?? []).filter((issue) => !alreadyReported.has(String(issue.path[0])));
  const absent = issues
    .filter((issue) => issue.path.length === 1 && !(String(issue.path[0]) in values))
    .map((issue) => String(issue.path[0]));
  if (absent.length + alsoMissing.length > 0) throw missing([...alsoMissing, ...absent]);
  const wrong = [...alsoWrong, ...issues.map(toIssue)];
  if (wrong.length > 0) throw fieldsInvalid(wrong);
  return parsed.data as z.output<Schema>;
}

/** Issues of the values received so far. Missing values are not reported, because they may still arrive. */
export function issuesSoFar(schema: z.ZodObject, values: Record<string, unknown>): Issue[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
    const parsed = field?.safeParse(value);
    return (parsed?.error?.issues ?? []).map((issue) => toIssue({ ...issue, path: [name, ...issue.path] }));
  });
}

/** Issues of values of which none is required, such as query parameters. */
export function issuesIn(schema: z.ZodObject, values: Record<string, unknown>): Issue[] {
  return (schema.safeParse(values).error?.issues ?? []).map(toIssue);
}

/** Returns the body if it is a JSON object; throws otherwise. */
export function jsonObject(body: unknown): Record<string, unknown> {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw jsonMalformed.withDetail("The request body must be a JSON object.");
}
