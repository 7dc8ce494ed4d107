import type { Survey } from "./survey.ts";

const iso = (seconds: number | undefined) => (seconds === undefined ? null : new Date(seconds * 1000).toISOString());

/** A survey for programs. */
export function surveyJson(survey: Survey) {
  return {
    rows: survey.rows,
    importable: survey.importable,
    skipped: survey.skipped,
    importable_bytes: survey.importableBytes,
    first_time: iso(survey.firstTime),
    last_time: iso(survey.lastTime),
    agents: survey.agents,
    new_agents: survey.newAgents,
    campaigns: survey.campaigns,
    files_without_row: survey.filesWithoutRow,
    estimated_seconds: survey.estimatedSeconds,
    blocked: survey.blocked,
    findings: survey.findings.map(({ code, level, count, first }) => ({
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
