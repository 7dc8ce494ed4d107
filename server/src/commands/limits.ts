import { InvalidArgumentError } from "commander";
import type { FoundLimits } from "../limits/find-limits.ts";
import { table } from "./support/output.ts";

/** Parses "50", "none" (0) or "default" (null). */
export function parseLimit(text: string): number | null {
  if (text === "none") return 0;
  if (text === "default") return null;
  const number = Number(text);
  if (!/^\d{1,15}$/.test(text) || number < 1) {
    throw new InvalidArgumentError(
      "Use a whole number from 1, none for no limit, or default for the server's default.",
    );
  }
  return number;
}

type Row = Readonly<Record<string, number | null>>;

/** The limits in effect and the current usage. */
export function toLimitsBody({ limits, usage }: FoundLimits): { workspace: Row; key: Row } {
  const { workspace, key } = limits;
  return {
    workspace: {
      requests_per_second: workspace.requestsPerSecond,
      imports_per_second: workspace.importsPerSecond,
      uploads_at_once: workspace.uploadsAtOnce,
      downloads_at_once: workspace.downloadsAtOnce,
      calls_per_day: workspace.callsPerDay,
      stored_bytes: workspace.storedBytes,
      invitation_mails_per_day: workspace.invitationMailsPerDay,
      ...(usage && { stored_calls_now: Math.max(0, usage.calls), stored_bytes_now: Math.max(0, usage.bytes) }),
    },
    key: {
      requests_per_second: key.requestsPerSecond,
      uploads_at_once: key.uploadsAtOnce,
      downloads_at_once: key.downloadsAtOnce,
    },
  };
}

export const limitsTable = (row: Row) =>
  table(
    ["LIMIT", "VALUE"],
    Object.entries(row).map(([name, value]) => [name, value === null ? "none" : value.toLocaleString("en")]),
    "",
  );
