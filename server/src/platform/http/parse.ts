import type { Issue } from "@hearback/contract";
import type { z } from "zod";
import { fieldsInvalid, jsonMalformed, memberMissing, type partMissing } from "../errors.ts";
import { matchNames, type Renaming } from "./similar-name.ts";

const codeOf: Record<string, string> = {
  invalid_type: "wrong_type",
  too_big: "too_long",
  too_small: "too_short",
  unrecognized_keys: "unknown_member",
  invalid_value: "not_allowed",
};

type ZodIssue = z.core.$ZodIssue;

/** Of the unknown members of a body, as many are reported. */
const maxUnknown = 20;

/** Issues about the top-level names of the request; `suggestions` has the names that were probably meant. */
function unknownNames(keys: readonly string[], suggestions: readonly Renaming[]): Issue[] {
  return keys.slice(0, maxUnknown).map((key) => {
    const part = key.slice(0, 100);
    const meant = suggestions.find(({ from }) => from === key)?.to;
    const fix = meant ? `Did you mean "${meant}"?` : "Remove it.";
    return { part, code: "unknown_member", detail: `"${part}" is unknown. ${fix}` };
  });
}

const unknownKeysOf = (issues: readonly ZodIssue[]) =>
  issues.flatMap((issue) => (issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : []));

const isAboutNames = (issue: ZodIssue) => issue.code === "unrecognized_keys" && issue.path.length === 0;

function toIssue(issue: ZodIssue): Issue {
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
  /** Unknown names that are no errors, but may be misspelt. */
  readonly unknown?: readonly string[];
}

/** Parses values with the schema. If a value is missing, the error is 400, else 422. It lists every missing and invalid value. */
export function parseFields<Schema extends z.ZodObject>(
  schema: Schema,
  values: Record<string, unknown>,
  { missing = memberMissing, alsoWrong = [], alsoMissing = [], unknown = [] }: ParseOptions = {},
): z.output<Schema> {
  const parsed = schema.safeParse(values);
  const alreadyReported = new Set(alsoWrong.map((issue) => issue.part));
  const issues = (parsed.error?.issues ?? []).filter((issue) => !alreadyReported.has(String(issue.path[0])));
  const isMissing = (issue: ZodIssue) => issue.path.length === 1 && !Object.hasOwn(values, String(issue.path[0]));
  const absent = [...alsoMissing, ...new Set(issues.filter(isMissing).map((issue) => String(issue.path[0])))];
  const invalid = issues.filter((issue) => !isMissing(issue));
  const unknownKeys = unknownKeysOf(invalid).slice(0, maxUnknown);
  // Missing names first: they are the more probable meaning.
  const unsent = Object.keys(schema.shape).filter((name) => !Object.hasOwn(values, name) && !absent.includes(name));
  const renamings = matchNames([...unknown, ...unknownKeys], [...absent, ...unsent]);
  const wrong = [
    ...alsoWrong,
    ...unknownNames(unknownKeys, renamings),
    ...invalid.filter((issue) => !isAboutNames(issue)).map(toIssue),
  ];
  if (absent.length > 0) {
    throw missing(absent, { renamings: renamings.filter(({ to }) => absent.includes(to)), wrong });
  }
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
  const issues = schema.safeParse(values).error?.issues ?? [];
  const keys = unknownKeysOf(issues).slice(0, maxUnknown);
  const unsent = Object.keys(schema.shape).filter((name) => !Object.hasOwn(values, name));
  return [
    ...unknownNames(keys, matchNames(keys, unsent)),
    ...issues.filter((issue) => !isAboutNames(issue)).map(toIssue),
  ];
}

const emptyBody = "The request has no body. Send a JSON object with Content-Type: application/json.";
const notAnObject = "The request body must be a JSON object.";

/** Returns the body if it is a JSON object; throws otherwise. */
export function jsonObject(body: unknown): Record<string, unknown> {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw body === undefined ? jsonMalformed.withDetail(emptyBody) : jsonMalformed.withDetail(notAnObject);
}
