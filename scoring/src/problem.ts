import type { z } from "zod";
import { closestName } from "./closest-name.ts";
import { knownMembers, listMembers } from "./strict-object.ts";

/** An error in a value: its position, a description and a fix. */
export interface Problem {
  /** JSON pointer (RFC 6901) into the checked value; empty for the value as a whole. */
  readonly path: string;
  readonly code: string;
  /** A sentence about what is wrong. */
  readonly message: string;
  /** A sentence about what to do. */
  readonly fix: string;
}

export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** A hostile document of 300 KB can have 100,000 problems, which would take seconds to describe. */
const maxProblems = 500;
/** Unknown members of one object that are described one by one. */
const maxUnknownMembers = 20;

/** Parses a value with a schema and describes the first problems. The last one says how many more there are. */
export function parseWith<Schema extends z.ZodType>(schema: Schema, input: unknown): Parsed<z.output<Schema>> {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) return { ok: true, value: parsed.data };
  const { issues } = parsed.error;
  const problems: Problem[] = [];
  let described = 0;
  for (; described < issues.length && problems.length < maxProblems; described++)
    problems.push(...toProblems(issues[described] as ZodIssue, { root: input, parent: [] }));
  const more = issues.length - described;
  return { ok: false, problems: more > 0 ? [...problems, otherProblems(more)] : problems };
}

export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

const otherProblems = (count: number): Problem => ({
  path: "",
  code: "more_problems",
  message: `The document has at least ${count} more problem${count === 1 ? "" : "s"}.`,
  fix: "Fix the others first.",
});

type ZodIssue = z.core.$ZodIssue;
type UnknownMembers = z.core.$ZodIssueUnrecognizedKeys;
type Path = readonly PropertyKey[];

interface Position {
  /** The checked value as a whole. */
  readonly root: unknown;
  readonly parent: Path;
}

function toProblems(issue: ZodIssue, { root, parent }: Position): Problem[] {
  const path = [...parent, ...issue.path];
  if (issue.code === "unrecognized_keys") return unknownMembers(issue, path, root);
  if (issue.code === "invalid_union" && issue.errors.length > 0)
    return closestBranch(issue.errors).flatMap((inner) => toProblems(inner, { root, parent: path }));
  return [describe(issue, path, root)];
}

/** Suggests a name for each of the first members. The others are one problem, because comparing names takes time. */
function unknownMembers({ keys, message }: UnknownMembers, path: Path, root: unknown): Problem[] {
  const code = "unknown_member";
  const sentence = (named: readonly string[]) =>
    `${nameOf(path, root)} ${message.replace(listMembers(keys), () => listMembers(named))}.`;
  const known = knownMembers(keys);
  const first = keys.slice(0, maxUnknownMembers).map((key) => {
    const meant = closestName(key, known);
    const fix = meant === undefined ? "Remove it, or correct its spelling." : `Did you mean "${meant}"?`;
    return { path: jsonPointer([...path, key]), code, message: sentence([key]), fix };
  });
  const others = keys.slice(maxUnknownMembers);
  if (others.length === 0) return first;
  const fix = "Remove them, or correct their spelling.";
  return [...first, { path: jsonPointer(path), code, message: sentence(others), fix }];
}

/** The alternative of a union that the input was probably meant to be: the one that knows its members. */
function closestBranch(branches: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] {
  const unknown = (branch: readonly ZodIssue[]) =>
    branch.some((issue) => issue.code === "unrecognized_keys" && issue.path.length === 0) ? 1 : 0;
  const [closest = []] = [...branches].sort((a, b) => unknown(a) - unknown(b) || a.length - b.length);
  return closest;
}

/** Entries of a list are named by their number and, if they have one, their id. */
function nameOf(path: Path, root: unknown): string {
  const last = path.at(-1);
  if (last === undefined) return "The document";
  if (typeof last !== "number") return `"${String(last)}"`;
  const entry = path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | null)?.[step], root);
  const id = (entry as { readonly id?: unknown } | null | undefined)?.id;
  const name = typeof id === "string" && id !== "" ? ` (${listMembers([id])})` : "";
  return `Entry ${last + 1} of "${String(path.at(-2))}"${name}`;
}

function describe(issue: ZodIssue, path: Path, root: unknown): Problem {
  const isAbsent =
    inputOf(issue) === undefined && ["invalid_type", "invalid_value", "invalid_union"].includes(issue.code);
  const message = plainMessage(issue);
  const [code, fix] = isAbsent ? ["missing", `Add it: it ${message}.`] : adviceFor(issue);
  return { path: jsonPointer(path), code, message: `${nameOf(path, root)} ${isAbsent ? "is missing" : message}.`, fix };
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** The message of the schema. Schemas of other products' forms have none of their own. */
function plainMessage(issue: ZodIssue): string {
  if (!/^(Invalid|Too) /.test(issue.message)) return issue.message;
  if (issue.code === "invalid_type") return `must be ${typeNames[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (issue.code === "too_big") return `must be at most ${issue.maximum}${isText(issue.origin) ? " long" : ""}`;
  if (issue.code === "too_small") return `must be at least ${issue.minimum}${isText(issue.origin) ? " long" : ""}`;
  return "is not valid";
}

/** The invalid value. For the type of a question, zod reports the question. */
function inputOf(issue: ZodIssue): unknown {
  const input = issue.input as Readonly<Record<string, unknown>> | undefined;
  return issue.code === "invalid_union" && issue.discriminator ? input?.[issue.discriminator] : input;
}

function adviceFor(issue: ZodIssue): [code: string, fix: string] {
  switch (issue.code) {
    case "custom":
      return [issue.params?.code ?? "not_allowed", issue.params?.fix ?? "Change it."];
    case "too_big":
      return isText(issue.origin) ? ["too_long", "Shorten it."] : ["too_large", "Use a smaller number."];
    case "too_small":
      return isText(issue.origin)
        ? ["too_short", "Fill it in, or remove it if it is optional."]
        : ["too_small", "Use a larger number."];
    case "invalid_format":
      return ["wrong_form", "Change it to this form."];
    case "invalid_value":
    case "invalid_union":
      return ["not_allowed", "Use one of these values."];
    default:
      return issue.code === "invalid_type" && issue.expected === "string" && typeof issue.input === "boolean"
        ? ["wrong_type", "Put it in quotes: YAML 1.1 reads yes and no as true and false."]
        : ["wrong_type", "Change it to this type."];
  }
}

const isText = (origin: string) => origin === "string" || origin === "array";
