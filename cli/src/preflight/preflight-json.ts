import type { Preflight } from "./preflight.ts";

const iso = (seconds: number | undefined) => (seconds === undefined ? null : new Date(seconds * 1000).toISOString());

/** The preflight result as printed with --json. */
export function preflightJson(result: Preflight) {
  return {
    rows: result.rows,
    importable: result.importable,
    skipped: result.skipped,
    importable_bytes: result.importableBytes,
    first_time: iso(result.firstTime),
    last_time: iso(result.lastTime),
    agents: result.agents,
    new_agents: result.newAgents,
    campaigns: result.campaigns,
    files_without_row: result.filesWithoutRow,
    estimated_seconds: result.estimatedSeconds,
    blocked: result.blocked,
    findings: result.findings.map(({ code, level, count, first }) => ({
      code,
      level,
      count,
      first: first.map(({ line, column, detail, fix }) => ({
        line: line ?? null,
        column: column ?? null,
        detail,
        fix,
      })),
    })),
  };
}
