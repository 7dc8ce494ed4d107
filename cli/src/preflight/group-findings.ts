import type { Finding } from "../manifest/finding.ts";

export interface FindingGroup {
  readonly code: string;
  readonly level: Finding["level"];
  readonly count: number;
  /** The first findings, without their cells. */
  readonly first: readonly Finding[];
}

const maxKept = 20;

/** Groups findings by code. Keeps the count and the first findings of each group. */
export function groupFindings(onFinding: (finding: Finding) => void = () => {}) {
  const groups = new Map<string, { level: Finding["level"]; count: number; first: Finding[] }>();
  return {
    add(finding: Finding): void {
      onFinding(finding);
      const group = groups.get(finding.code) ?? { level: finding.level, count: 0, first: [] };
      groups.set(finding.code, group);
      group.count++;
      if (group.first.length < maxKept) group.first.push(copyFinding(finding));
    },
    /** Errors first, then by count. */
    groups: (): FindingGroup[] =>
      [...groups]
        .map(([code, group]) => ({ code, ...group }))
        .sort((a, b) => a.level.localeCompare(b.level) || b.count - a.count),
  };
}

/** Copies a string. V8 substrings keep the whole chunk that they were cut from in memory. */
export const copyString = (text: string): string => Buffer.from(text).toString();

function copyFinding({ code, level, line, column, detail, fix }: Finding): Finding {
  return {
    code,
    level,
    line,
    column: column === undefined ? undefined : copyString(column),
    detail: copyString(detail),
    fix: copyString(fix),
  };
}
