import type { Finding } from "./finding.ts";

/** A validated call to import, read from a manifest, a file name or a sidecar. */
export interface Entry {
  /** Line in the manifest, starting at 1; without a manifest, the position in the list of files. */
  readonly line: number;
  /** File name as in the manifest. */
  readonly file: string;
  /** Absolute path. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly campaignId: string;
  readonly agentEmail: string;
  /** Needed to create the agent. */
  readonly agentName: string | undefined;
  /** Unix time in seconds. */
  readonly happenedAt: number;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
  /** The unchanged row in the order of the manifest's columns, for the failures file. */
  readonly cells: readonly string[];
}

/** A row that cannot be imported. */
export interface InvalidRow extends CallFields {
  readonly line: number;
  readonly cells: readonly string[];
  /** All errors of the row; at least one. */
  readonly findings: readonly Finding[];
}

/** The fields of a row that are valid by themselves. undefined: missing or invalid. */
export interface CallFields {
  readonly file: string | undefined;
  readonly campaignId: string | undefined;
  readonly agentEmail: string | undefined;
  readonly agentName: string | undefined;
  readonly happenedAt: number | undefined;
}

export const isInvalid = (row: Entry | InvalidRow): row is InvalidRow => "findings" in row;
