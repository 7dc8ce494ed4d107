import { createHash } from "node:crypto";

/** An audit log entry, with each column in the form that was hashed. */
export interface StoredEntry {
  readonly number: number;
  /** Microseconds since the epoch, PostgreSQL's resolution. */
  readonly atMicros: number;
  readonly actorType: string;
  readonly actorId: string | null;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** JSON exactly as PostgreSQL formats it, because the hash covers this text. */
  readonly data: string;
  readonly hash: Buffer;
}

/** The previous hash of the first entry. */
export const genesisHash = Buffer.alloc(32);

/** 2026-11-15T08:00:00.123456Z */
export function formatMicros(micros: number): string {
  const seconds = Math.floor(micros / 1e6);
  const fraction = String(micros - seconds * 1e6).padStart(6, "0");
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z`;
}

/** The text that an entry's hash covers, besides the previous hash. Must match audit_text in the database. */
export function auditText(entry: StoredEntry, number = entry.number): string {
  const { atMicros, actorType, actorId, action, subjectType, subjectId, data } = entry;
  return [number, formatMicros(atMicros), actorType, actorId ?? "", action, subjectType, subjectId, data].join("\n");
}

/** The hash of an entry: SHA-256 of the previous hash and the entry's text. */
export const chainHash = (previous: Uint8Array, text: string): Buffer =>
  createHash("sha256").update(previous).update(text).digest();
