import { type Defect, ManifestError, quote } from "./finding-codes.ts";

/** Text, and columns in braces; of several, the first that is not empty. */
export type Templates = string | readonly string[];

/** How the columns of an export become calls. */
export interface Mapping {
  readonly about?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly separator?: string | undefined;
  readonly file?: Templates | undefined;
  readonly agent?: Templates | undefined;
  readonly agent_email?: Templates | undefined;
  readonly agent_name?: Templates | undefined;
  readonly time?: TimeMapping | undefined;
  readonly campaign?: Templates | undefined;
  readonly metadata?: Readonly<Record<string, Templates>> | undefined;
  readonly rest?: "keep" | "drop" | undefined;
  readonly only?: Readonly<Record<string, readonly string[]>> | undefined;
}

export interface TimeMapping {
  readonly from?: Templates | undefined;
  readonly format?: string | undefined;
  readonly zone?: string | undefined;
  readonly ambiguous?: "earlier" | "later" | undefined;
}

/** Parts of a call that a mapping can name; every other name is a key of metadata. */
export const fields = ["file", "agent", "agent_email", "agent_name", "time", "campaign"] as const;
export type Field = (typeof fields)[number];

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string" && value !== "" && value.length <= 10_000;
const isTexts: Check = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
const isTemplates: Check = (value) =>
  isText(value) || (Array.isArray(value) && value.length > 0 && value.length <= 100 && value.every(isText));
const isRecordOf =
  (check: Check): Check =>
  (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value) && Object.values(value).every(check);
const isTime: Check = (value) =>
  isTemplates(value) || (isRecordOf(isTemplates)(value) && wrongTime(value as TimeMapping) === undefined);

const aTemplate = (example: string) =>
  `a template, such as "${example}", or a list of them: the first that is not empty`;

const members: Readonly<Record<string, readonly [Check, string]>> = {
  about: [isText, "text"],
  columns: [isTexts, 'an array of names, such as ["file", "agent_email"]'],
  separator: [(value) => typeof value === "string" && value.length === 1, 'one sign, such as ";"'],
  file: [isTemplates, aTemplate("{uniqueid}.wav")],
  agent: [isTemplates, aTemplate("{agent}")],
  agent_email: [isTemplates, aTemplate("{email}")],
  agent_name: [isTemplates, aTemplate("{name}")],
  time: [isTime, 'an object such as {"from": "{start}", "format": "yyyy-MM-dd HH:mm:ss", "zone": "Europe/Paris"}'],
  campaign: [isTemplates, aTemplate("support-fr")],
  metadata: [
    isRecordOf((value) => value === "" || isTemplates(value)),
    'an object of templates, such as {"client_phone": "{src}"}, or of lists of them',
  ],
  rest: [(value) => value === "keep" || value === "drop", '"keep" or "drop"'],
  only: [isRecordOf(isTexts), 'an object such as {"disposition": ["ANSWERED"]}'],
};

function wrongTime(time: TimeMapping): string | undefined {
  const known = ["from", "format", "zone", "ambiguous"];
  const wrong = Object.entries(time).find(([key, value]) => !known.includes(key) || (key !== "from" && !isText(value)));
  if (wrong) return wrong[0];
  return time.ambiguous === undefined || ["earlier", "later"].includes(time.ambiguous) ? undefined : "ambiguous";
}

/** Makes a mapping of what a file says, or says what is wrong in it. */
export function parseMapping(text: string, name: string): Mapping {
  const fail = (detail: string, fix: string) => new ManifestError([{ code: "mapping_invalid", detail, fix }]);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw fail(`${name} is no JSON: ${error instanceof Error ? error.message : error}.`, "Check quotes and commas.");
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw fail(
      `${name} is no JSON object.`,
      'Write an object such as {"file": "{recording}", "time": {"from": "{start}"}}.',
    );
  const defects = Object.entries(value).flatMap(([key, member]) => wrongMember(key, member, name));
  if (defects.length > 0) throw new ManifestError(defects);
  const mapping = value as Omit<Mapping, "time"> & { time?: TimeMapping | Templates };
  const { time } = mapping;
  return { ...mapping, time: isTemplates(time) ? { from: time as Templates } : (time as TimeMapping | undefined) };
}

function wrongMember(key: string, value: unknown, name: string): Defect[] {
  const known = Object.hasOwn(members, key) ? members[key] : undefined;
  if (known?.[0](value)) return [];
  const detail = known
    ? `${quote(key)} in ${name} has the wrong form.`
    : `${name} has a member ${quote(key)} that means nothing.`;
  const fix = known
    ? `It must be ${known[1]}.`
    : `Known are ${Object.keys(members).join(", ")}; what else is kept of a call stands in "metadata".`;
  return [{ code: "mapping_invalid", detail, fix, column: key }];
}

/** The second says more, or something else. */
export function mergeMappings(one: Mapping, other: Mapping): Mapping {
  return {
    ...one,
    ...other,
    ...((one.time || other.time) && { time: { ...one.time, ...other.time } }),
    ...((one.metadata || other.metadata) && { metadata: { ...one.metadata, ...other.metadata } }),
    ...((one.only || other.only) && { only: { ...one.only, ...other.only } }),
  };
}
