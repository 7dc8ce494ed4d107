import type { Finding } from "../manifest/finding.ts";
import { harmless } from "../terminal/text-width.ts";
import { counted, inBytes, inDigits } from "../terminal/units.ts";
import type { FindingGroup } from "./gather-findings.ts";
import type { Survey } from "./survey.ts";

type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
  readonly dim: Paint;
}

const same: Paint = (text) => text;
export const plain: Style = { bold: same, red: same, yellow: same, dim: same };

export interface WordsOptions {
  readonly style?: Style | undefined;
  /** Where all rows with errors are written to, if they are. */
  readonly findingsFile?: string | undefined;
}

const mostShown = 10;

/** A survey as lines for a person: what there is, what stands in the way, and what to do. */
export function surveyWords(survey: Survey, { style = plain, findingsFile }: WordsOptions = {}): string[] {
  const errors = survey.findings.filter(({ level }) => level === "error");
  const warnings = survey.findings.filter(({ level }) => level === "warning");
  return [
    ...summary(survey, style),
    ...section("Errors", errors, { paint: style.red, style, findingsFile }),
    // Only rows that are left out are in the file.
    ...section("Warnings", warnings, { paint: style.yellow, style, findingsFile: undefined }),
    "",
    verdict(survey, errors, style),
  ];
}

function summary(survey: Survey, { bold, dim }: Style): string[] {
  const { rows, importable, skipped, importableBytes, firstTime, lastTime, agents, newAgents, campaigns } = survey;
  const lost = rows - skipped - importable;
  const facts: [string, string][] = [
    [
      "Rows",
      `${inDigits(rows)}${skipped > 0 ? dim(`, of which ${inDigits(skipped)} are left out by the mapping`) : ""}`,
    ],
    ["To import", `${bold(counted(importable, "call"))}, ${inBytes(importableBytes)}`],
    ...(lost > 0 ? [["Not importable", `${counted(lost, "row")} (see below)`] as [string, string]] : []),
    ...(firstTime === undefined || lastTime === undefined
      ? []
      : [["Between", `${utc(firstTime)} and ${utc(lastTime)}`] as [string, string]]),
    [
      "Agents",
      `${inDigits(agents)}${newAgents.length > 0 ? `, ${inDigits(newAgents.length)} of them to be created` : ""}`,
    ],
    [
      "Campaigns",
      campaigns.length > 5
        ? inDigits(campaigns.length)
        : campaigns.map(({ id, rows }) => `${harmless(id)} (${inDigits(rows)})`).join(", ") || "none",
    ],
    ...(survey.filesWithoutRow.count > 0
      ? [["Files without a row", inDigits(survey.filesWithoutRow.count)] as [string, string]]
      : []),
    ["Estimated time", `${duration(survey.estimatedSeconds)} ${dim("(an estimate, before the first call was sent)")}`],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

interface Section {
  readonly paint: Paint;
  readonly style: Style;
  readonly findingsFile: string | undefined;
}

function section(title: string, groups: readonly FindingGroup[], { paint, style, findingsFile }: Section): string[] {
  if (groups.length === 0) return [];
  const lines = groups.flatMap((group) => {
    const shown = group.first.slice(0, mostShown);
    const more = group.count - shown.length;
    // What concerns the manifest as a whole has no row there.
    const where = findingsFile && shown[0]?.line !== undefined ? `, all in ${harmless(findingsFile)}` : "";
    return [
      "",
      `${paint(group.code)} ${style.dim(`(${inDigits(group.count)})`)}`,
      ...shown.flatMap((finding, at) => findingWords(finding, shown[at - 1], style)),
      ...(more > 0 ? [style.dim(`  … and ${inDigits(more)} more${where}`)] : []),
    ];
  });
  return ["", style.bold(title), ...lines];
}

/** The fix is said once for a run of findings that have it in common. */
function findingWords({ line, detail, fix }: Finding, before: Finding | undefined, { dim }: Style): string[] {
  const place = line === undefined ? "" : `line ${inDigits(line)}: `;
  const mend = `    ${dim("→")} ${harmless(fix)}`;
  return [`  ${place}${harmless(detail)}`, ...(before?.fix === fix ? [] : [mend])];
}

function verdict(
  { rows, skipped, importable, blocked }: Survey,
  errors: readonly FindingGroup[],
  { bold, red }: Style,
): string {
  if (blocked) return red("Nothing can be imported before that is mended.");
  if (importable === 0) return red("There is nothing to import.");
  if (errors.length === 0) return bold("Everything can be imported.");
  return `${bold(counted(importable, "call"))} can be imported; ${counted(rows - skipped - importable, "row")} cannot.`;
}

const utc = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;

function duration(seconds: number): string {
  if (seconds < 60) return "less than a minute";
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `about ${counted(minutes, "minute")}`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `about ${hours} h ${minutes % 60} min` : `about ${counted(Math.round(hours / 24), "day")}`;
}
