import { hash } from "node:crypto";
import type { Entry } from "../manifest/entry.ts";

/** Identifies an entry across runs without reading its recording: 16 hexadecimal digits. */
export function entryKey(entry: Entry): string {
  const { path, bytes, modifiedMs, campaignId, agentEmail, happenedAt } = entry;
  const parts = [path, bytes, modifiedMs, campaignId, agentEmail.toLowerCase(), happenedAt];
  return hash("sha1", parts.join("\0"), "hex").slice(0, 16);
}
