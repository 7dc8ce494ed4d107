import type { Entry } from "../manifest/entry.ts";
import type { Finding } from "../manifest/finding.ts";
import { sanitize } from "../terminal/text-width.ts";
import { formatBytes, formatNumber, pluralize } from "../terminal/units.ts";
import type { FindingGroup } from "./group-findings.ts";
import type { Preflight } from "./preflight.ts";

type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
  readonly dim: Paint;
}

const same: Paint = (text) => text;
export const plain: Style = { bold: same, red: same, yellow: same, dim: same };

export interface PreflightTextOptions {
  readonly style?: Style | undefined;
  /** The file that lists all rows with errors. */
  readonly findingsFile?: string | undefined;
}

const maxShown = 10;

/** Formats the preflight result: summary, errors and warnings with fixes, conclusion. */
export function preflightText(result: Preflight, { style = plain, findingsFile }: PreflightTextOptions = {}): string[] {
  const errors = result.findings.filter(({ level }) => level === "error");
  const warnings = result.findings.filter(({ level }) => level === "warning");
  return [
    ...summary(result, style),
    ...section("Errors", errors, { paint: style.red, style, findingsFile }),
    // The failures file contains only rows with errors.
    ...section("Warnings", warnings, { paint: style.yellow, style, findingsFile: undefined }),
    "",
    conclusion(result, errors, style),
  ];
}

function summary(result: Preflight, { bold, dim }: Style): string[] {
  const { rows, importable, skipped, importableBytes, firstTime, lastTime, agents, newAgents, campaigns } = result;
  const invalid = rows - skipped - importable;
  const facts: [string, string][] = [
    ["Rows", `${formatNumber(rows)}${skipped > 0 ? dim(`, of which the mapping skips ${formatNumber(skipped)}`) : ""}`],
    ["To import", `${bold(pluralize(importable, "call"))}, ${formatBytes(importableBytes)}`],
    ...(invalid > 0 ? [["Invalid", `${pluralize(invalid, "row")} (see below)`] as [string, string]] : []),
    ...(firstTime === undefined || lastTime === undefined
      ? []
      : [["Between", `${utc(firstTime)} and ${utc(lastTime)}`] as [string, string]]),
    [
      "Agents",
      `${formatNumber(agents)}${newAgents.length > 0 ? `, ${formatNumber(newAgents.length)} to be created` : ""}`,
    ],
    [
      "Campaigns",
      campaigns.length > 5
        ? formatNumber(campaigns.length)
        : campaigns.map(({ id, rows }) => `${sanitize(id)} (${formatNumber(rows)})`).join(", ") || "none",
    ],
    ...(result.filesWithoutRow.count > 0
      ? [["Files without a row", formatNumber(result.filesWithoutRow.count)] as [string, string]]
      : []),
    ["Estimated time", `${duration(result.estimatedSeconds)} ${dim("(rough estimate)")}`],
  ];
  if (result.sample) facts.push(["Example", example(result.sample)]);
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

/** Shows how one row is read, so that a wrong time zone or column is noticed before the import. */
function example({ line, file, agentEmail, happenedAt, campaignId, metadata }: Entry): string {
  const time = new Date(happenedAt * 1000).toISOString().replace("T", " ").replace(".000Z", " UTC");
  const pairs = metadata.slice(0, 8).map(({ key, value }) => `${key}=${value}`);
  const more = metadata.length > 8 ? [`and ${pluralize(metadata.length - 8, "value")} more`] : [];
  return sanitize(`line ${line}: ${[file, agentEmail, time, campaignId, ...pairs, ...more].join(", ")}`);
}

interface Section {
  readonly paint: Paint;
  readonly style: Style;
  readonly findingsFile: string | undefined;
}

function section(title: string, groups: readonly FindingGroup[], { paint, style, findingsFile }: Section): string[] {
  if (groups.length === 0) return [];
  const lines = groups.flatMap((group) => {
    const shown = group.first.slice(0, maxShown);
    const more = group.count - shown.length;
    // Findings about the whole manifest have no row in the file.
    const where = findingsFile && shown[0]?.line !== undefined ? `, all in ${sanitize(findingsFile)}` : "";
    return [
      "",
      `${paint(group.code)} ${style.dim(`(${formatNumber(group.count)})`)}`,
      ...shown.flatMap((finding, at) => formatFinding(finding, shown[at - 1], style)),
      ...(more > 0 ? [style.dim(`  … and ${formatNumber(more)} more${where}`)] : []),
    ];
  });
  return ["", style.bold(title), ...lines];
}

/** Prints the fix once for consecutive findings that share it. */
function formatFinding({ line, detail, fix }: Finding, before: Finding | undefined, { dim }: Style): string[] {
  const place = line === undefined ? "" : `line ${formatNumber(line)}: `;
  const fixLine = `    ${dim("→")} ${sanitize(fix)}`;
  return [`  ${place}${sanitize(detail)}`, ...(before?.fix === fix ? [] : [fixLine])];
}

function conclusion(
  { rows, skipped, importable, blocked }: Preflight,
  errors: readonly FindingGroup[],
  { bold, red }: Style,
): string {
  if (blocked) return red("Nothing can be imported until these errors are fixed.");
  if (importable === 0) return red("Nothing to import.");
  if (errors.length === 0) return bold("Everything can be imported.");
  return `${bold(pluralize(importable, "call"))} can be imported; ${pluralize(rows - skipped - importable, "row")} cannot.`;
}

const utc = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;

function duration(seconds: number): string {
  if (seconds < 60) return "less than a minute";
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `about ${pluralize(minutes, "minute")}`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `about ${hours} h ${minutes % 60} min` : `about ${pluralize(Math.round(hours / 24), "day")}`;
}
