import type { Finding } from "../manifest/finding.ts";
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
  /** Where all findings are written to, if they are. */
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
    ...section("Warnings", warnings, { paint: style.yellow, style, findingsFile }),
    "",
    verdict(survey, errors, style),
  ];
}

function summary(survey: Survey, { bold, dim }: Style): string[] {
  const { rows, importable, skipped, importableBytes, firstTime, lastTime, agents, newAgents, campaigns } = survey;
  const lost = rows - skipped - importable;
  const facts: [string, string][] = [
    ["Rows", `${grouped(rows)}${skipped > 0 ? dim(`, of which ${grouped(skipped)} are left out by the mapping`) : ""}`],
    ["To import", `${bold(many(importable, "call"))}, ${size(importableBytes)}`],
    ...(lost > 0 ? [["Not importable", `${many(lost, "row")} (see below)`] as [string, string]] : []),
    ...(firstTime === undefined || lastTime === undefined
      ? []
      : [["Between", `${utc(firstTime)} and ${utc(lastTime)}`] as [string, string]]),
    [
      "Agents",
      `${grouped(agents)}${newAgents.length > 0 ? `, ${grouped(newAgents.length)} of them to be created` : ""}`,
    ],
    [
      "Campaigns",
      campaigns.length > 5
        ? grouped(campaigns.length)
        : campaigns.map(({ id, rows }) => `${id} (${grouped(rows)})`).join(", ") || "none",
    ],
    ...(survey.filesWithoutRow.count > 0
      ? [["Files without a row", grouped(survey.filesWithoutRow.count)] as [string, string]]
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
    const where = findingsFile ? `, all in ${findingsFile}` : "";
    return [
      "",
      `${paint(group.code)} ${style.dim(`(${grouped(group.count)})`)}`,
      ...shown.flatMap((finding, at) => findingWords(finding, shown[at - 1], style)),
      ...(more > 0 ? [style.dim(`  … and ${grouped(more)} more${where}`)] : []),
    ];
  });
  return ["", style.bold(title), ...lines];
}

/** The fix is said once for a run of findings that have it in common. */
function findingWords({ line, detail, fix }: Finding, before: Finding | undefined, { dim }: Style): string[] {
  const place = line === undefined ? "" : `line ${grouped(line)}: `;
  const mend = `    ${dim("→")} ${visible(fix)}`;
  return [`  ${place}${visible(detail)}`, ...(before?.fix === fix ? [] : [mend])];
}

/** What comes from a file must not command the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is made visible
const visible = (text: string) => text.replace(/[\0-\x1f\x7f-\x9f]/g, "\ufffd");

function verdict({ importable, blocked }: Survey, errors: readonly FindingGroup[], { bold, red }: Style): string {
  if (blocked) return red("Nothing can be imported before that is mended.");
  if (importable === 0) return red("There is nothing to import.");
  if (errors.length === 0) return bold("Everything can be imported.");
  return `${bold(many(importable, "call"))} can be imported; rows with errors are left out.`;
}

const grouped = (count: number) => count.toLocaleString("en-US");
const many = (count: number, noun: string) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
const utc = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;

function size(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? grouped(value) : value.toFixed(1)} ${units[power]}`;
}

function duration(seconds: number): string {
  if (seconds < 60) return "less than a minute";
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `about ${many(minutes, "minute")}`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `about ${hours} h ${minutes % 60} min` : `about ${many(Math.round(hours / 24), "day")}`;
}
