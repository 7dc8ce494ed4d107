import { canonicalJson } from "@hearback/scoring/canonical-json";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8 } from "./bytes.ts";

export const periods = ["day", "week", "month"] as const;
export type Period = (typeof periods)[number];

/** The rules by which the calls of an agent are drawn. Fixed when the service commits to a draw. */
export interface DrawRules {
  readonly scorecard_id: string;
  /** Empty: all campaigns. */
  readonly campaign_ids: readonly string[];
  /** Empty: all teams, and agents without a team. */
  readonly team_ids: readonly string[];
  readonly min_duration_s: number | null;
  readonly max_duration_s: number | null;
  /** A call must have every one of these entries. */
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
  /** Calls to draw for each agent. */
  readonly per_agent: number;
  readonly period: Period;
  readonly time_zone: string;
  /** Most calls drawn for an agent in a calendar month, over all plans. */
  readonly monthly_limit: number | null;
}

/** SHA-256 of the canonical JSON (RFC 8785) of the rules. */
export const rulesDigest = (rules: unknown): Uint8Array => sha256(utf8(canonicalJson(rules)));
