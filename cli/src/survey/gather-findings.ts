import type { Finding } from "../manifest/finding.ts";

export interface FindingGroup {
  readonly code: string;
  readonly level: Finding["level"];
  readonly count: number;
  /** The first of them, without their cells. */
  readonly first: readonly Finding[];
}

const mostKept = 20;

/** Counts findings by their code and keeps the first of each. */
export function gatherFindings(onFinding: (finding: Finding) => void = () => {}) {
  const groups = new Map<string, { level: Finding["level"]; count: number; first: Finding[] }>();
  return {
    add(finding: Finding): void {
      onFinding(finding);
      const group = groups.get(finding.code) ?? { level: finding.level, count: 0, first: [] };
      groups.set(finding.code, group);
      group.count++;
      if (group.first.length < mostKept) group.first.push(detached(finding));
    },
    /** Errors first, then by number. */
    groups: (): FindingGroup[] =>
      [...groups]
        .map(([code, group]) => ({ code, ...group }))
        .sort((one, other) => one.level.localeCompare(other.level) || other.count - one.count),
  };
}

/** A copy of its own: a few letters of a manifest otherwise keep the whole piece that they were read from. */
export const ownCopy = (text: string): string => Buffer.from(text).toString();

function detached({ code, level, line, column, detail, fix }: Finding): Finding {
  return {
    code,
    level,
    line,
    column: column === undefined ? undefined : ownCopy(column),
    detail: ownCopy(detail),
    fix: ownCopy(fix),
  };
}
