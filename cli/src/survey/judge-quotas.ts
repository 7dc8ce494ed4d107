import type { LimitsBody } from "@hearback/sdk";
import type { Finding } from "../manifest/finding.ts";

/** Warns of an import that is larger than what the workspace may still take. */
export function judgeQuotas(limits: LimitsBody, calls: number, bytes: number): Finding[] {
  const { calls_per_day: perDay, stored_bytes: stored } = limits.workspace;
  const leftToday = left(perDay);
  const leftToStore = left(stored);
  const findings: Finding[] = [];
  if (calls > leftToday)
    findings.push({
      code: "quota_calls",
      level: "warning",
      line: undefined,
      detail: `There are ${calls} calls to import, and the workspace takes ${leftToday} more today (${perDay.limit} a day).`,
      fix: `Have the limit raised, or run the command again after ${perDay.resets_at}: it continues.`,
    });
  if (bytes > leftToStore)
    findings.push({
      code: "quota_bytes",
      level: "warning",
      line: undefined,
      detail: `There are ${bytes} bytes to import, and the workspace takes ${leftToStore} more (${stored.limit} in all).`,
      fix: "Have the limit raised before, or remove old calls: the import stops there.",
    });
  return findings;
}

const left = ({ limit, used }: { readonly limit: number | null; readonly used: number | null }) =>
  limit === null ? Infinity : Math.max(0, limit - (used ?? 0));
