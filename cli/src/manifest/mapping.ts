import { type Defect, ManifestError, quote } from "./finding-codes.ts";

/** Text with columns in braces. In a list, the first non-empty template wins. */
export type Templates = string | readonly string[];

/** Maps the columns of an export to the fields of a call. */
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

/** Fields of a call that a mapping can set. Every other name is a metadata key. */
export const fields = ["file", "agent", "agent_email", "agent_name", "time", "campaign"] as const;
export type Field = (typeof fields)[number];

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string" && value !== "" && value.length <= 10_000;
const isTexts: Check = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
const isTemplates: Check = (value) =>
  isText(value) || (Array.isArray(value) && value.length > 0 && value.length <= 100 && value.every(isText));
const isRecordOf =
  (check: Check): Check =>
  (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value) && Object.values(value).every(check);
const isTime: Check = (value) =>
  isTemplates(value) || (isRecordOf(isTemplates)(value) && wrongTime(value as TimeMapping) === undefined);

const aTemplate = (example: string) => `a template, such as "${example}", or a list of templates`;

const members: Readonly<Record<string, readonly [Check, string]>> = {
  about: [isText, "text"],
  columns: [isTexts, 'an array of names, such as ["file", "agent_email"]'],
  separator: [(value) => typeof value === "string" && value.length === 1, 'one character, such as ";"'],
  file: [isTemplates, aTemplate("{uniqueid}.wav")],
  agent: [isTemplates, aTemplate("{agent}")],
  agent_email: [isTemplates, aTemplate("{email}")],
  agent_name: [isTemplates, aTemplate("{name}")],
  time: [isTime, 'an object such as {"from": "{start}", "format": "yyyy-MM-dd HH:mm:ss", "zone": "Europe/Paris"}'],
  campaign: [isTemplates, aTemplate("support-fr")],
  metadata: [
    isRecordOf((value) => value === "" || isTemplates(value)),
    'an object of templates or lists of templates, such as {"client_phone": "{src}"}',
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

/** Parses and validates a mapping file. */
export function parseMapping(text: string, name: string): Mapping {
  const fail = (detail: string, fix: string) => new ManifestError([{ code: "mapping_invalid", detail, fix }]);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw fail(
      `${name} is not valid JSON: ${error instanceof Error ? error.message : error}.`,
      "Check quotes and commas.",
    );
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw fail(
      `${name} is not a JSON object.`,
      'Use an object such as {"file": "{recording}", "time": {"from": "{start}"}}.',
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
  const detail = known ? `${quote(key)} in ${name} is invalid.` : `${name} has an unknown member ${quote(key)}.`;
  const fix = known
    ? `It must be ${known[1]}.`
    : `Known members: ${Object.keys(members).join(", ")}. Put other values in "metadata".`;
  return [{ code: "mapping_invalid", detail, fix, column: key }];
}

/** The second mapping overrides the first. */
export function mergeMappings(base: Mapping, override: Mapping): Mapping {
  return {
    ...base,
    ...override,
    ...((base.time || override.time) && { time: { ...base.time, ...override.time } }),
    ...((base.metadata || override.metadata) && { metadata: { ...base.metadata, ...override.metadata } }),
    ...((base.only || override.only) && { only: { ...base.only, ...override.only } }),
  };
}
