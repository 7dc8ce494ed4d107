import type { Issue } from "@hearback/contract";
import type { z } from "zod";
import { AppError } from "../errors.ts";

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
    return { part, code: "unknown_member", detail: `${part} is not known here. Leave it out.` };
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

const listed = (names: string[]) => names.map((name) => `"${name}"`).join(", ");

function missing(names: string[], code: "part_missing" | "member_missing"): AppError {
  const what = code === "part_missing" ? "part" : "member";
  return new AppError(code, `Required and not sent: the ${what}${names.length > 1 ? "s" : ""} ${listed(names)}.`, {
    issues: names.map((part) => ({ part, code: "missing", detail: `The ${what} "${part}" is required.` })),
  });
}

/** The refusal of a JSON body in which these are missing. */
export const missingMembers = (names: string[]) => missing(names, "member_missing");

/** The refusal that names every wrong value at once. */
export function fieldsInvalid(issues: Issue[]): AppError {
  return new AppError("fields_invalid", issues.map((issue) => issue.detail).join(" "), { issues });
}

interface ParseOptions {
  /** Which code says that something required is absent. */
  readonly missingCode: "part_missing" | "member_missing";
  /** Wrong values found before, to be named together with the rest; and what is absent beside the values. */
  readonly alsoWrong?: readonly Issue[];
  readonly alsoMissing?: readonly string[];
}

/** Values → what they mean. What is absent is malformed (400); what is there and wrong is invalid (422). */
export function parseFields<Schema extends z.ZodObject>(
  schema: Schema,
  values: Record<string, unknown>,
  { missingCode, alsoWrong = [], alsoMissing = [] }: ParseOptions,
): z.output<Schema> {
  const parsed = schema.safeParse(values);
  const spoken = new Set(alsoWrong.map((issue) => issue.part));
  const issues = (parsed.error?.issues ?? []).filter((issue) => !spoken.has(String(issue.path[0])));
  const absent = issues
    .filter((issue) => issue.path.length === 1 && !(String(issue.path[0]) in values))
    .map((issue) => String(issue.path[0]));
  if (absent.length + alsoMissing.length > 0) throw missing([...alsoMissing, ...absent], missingCode);
  const wrong = [...alsoWrong, ...issues.map(toIssue)];
  if (wrong.length > 0) throw fieldsInvalid(wrong);
  return parsed.data as z.output<Schema>;
}

/** The wrong ones among the values that are there; what is absent may still come. */
export function wrongAmong(schema: z.ZodObject, values: Record<string, unknown>): Issue[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
    const parsed = field?.safeParse(value);
    return (parsed?.error?.issues ?? []).map((issue) => toIssue({ ...issue, path: [name, ...issue.path] }));
  });
}

/** What is wrong in values of which none is required, such as a query. */
export function wrongIn(schema: z.ZodObject, values: Record<string, unknown>): Issue[] {
  return (schema.safeParse(values).error?.issues ?? []).map(toIssue);
}

/** The members of a JSON body, or the refusal of one that is no object. */
export function jsonObject(body: unknown): Record<string, unknown> {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new AppError("json_malformed", "The body must be a JSON object.");
}
