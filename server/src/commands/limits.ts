import { InvalidArgumentError } from "commander";
import type { FoundLimits } from "../limits/find-limits.ts";
import { table } from "./output.ts";

/** "50", "none" or "default" → what the verb takes. */
export function aLimit(text: string): number | null {
  if (text === "none") return 0;
  if (text === "default") return null;
  const number = Number(text);
  if (!/^\d{1,15}$/.test(text) || number < 1) {
    throw new InvalidArgumentError(
      "Write a whole number from 1, none for no limit, or default for what the settings say.",
    );
  }
  return number;
}

type Row = Readonly<Record<string, number | null>>;

/** What is in force; with a quota also what is used of it. */
export function toLimitsBody({ limits, usage }: FoundLimits): { workspace: Row; key: Row } {
  const { workspace, key } = limits;
  return {
    workspace: {
      requests_per_second: workspace.requestsPerSecond,
      imports_per_second: workspace.importsPerSecond,
      uploads_at_once: workspace.uploadsAtOnce,
      calls_per_day: workspace.callsPerDay,
      stored_bytes: workspace.storedBytes,
      ...(usage && { stored_calls_now: usage.calls, stored_bytes_now: usage.bytes }),
    },
    key: { requests_per_second: key.requestsPerSecond, uploads_at_once: key.uploadsAtOnce },
  };
}

export const limitsTable = (row: Row) =>
  table(
    ["LIMIT", "VALUE"],
    Object.entries(row).map(([name, value]) => [name, value === null ? "none" : value.toLocaleString("en")]),
    "",
  );
