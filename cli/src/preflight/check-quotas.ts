import type { LimitsBody } from "@hearback/sdk";
import type { Finding } from "../manifest/finding.ts";
import { formatNumber, pluralize } from "../terminal/units.ts";

/** Warns if the import exceeds the workspace's remaining quotas. */
export function checkQuotas(limits: LimitsBody, calls: number, bytes: number): Finding[] {
  const { calls_per_day: perDay, stored_bytes: stored } = limits.workspace;
  const leftToday = left(perDay);
  const leftToStore = left(stored);
  const findings: Finding[] = [];
  if (calls > leftToday)
    findings.push({
      code: "quota_calls",
      level: "warning",
      line: undefined,
      detail: `The import has ${pluralize(calls, "call")}, but the workspace accepts only ${formatNumber(leftToday)} more today (${formatNumber(perDay.limit ?? 0)} per day).`,
      fix: `Ask the server operator to raise the limit, or run the command again after ${perDay.resets_at} to resume.`,
    });
  if (bytes > leftToStore)
    findings.push({
      code: "quota_bytes",
      level: "warning",
      line: undefined,
      detail: `The import has ${pluralize(bytes, "byte")}, but the workspace has only ${pluralize(leftToStore, "byte")} left (of ${formatNumber(stored.limit ?? 0)}).`,
      fix: "Ask the server operator to raise the limit, or delete old calls. Otherwise the import stops at the limit.",
    });
  return findings;
}

const left = ({ limit, used }: { readonly limit: number | null; readonly used: number | null }) =>
  limit === null ? Infinity : Math.max(0, limit - (used ?? 0));
