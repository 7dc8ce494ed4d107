import { createHash } from "node:crypto";

/** An entry of the audit log, each column as the hash covers it. */
export interface StoredEntry {
  readonly number: number;
  /** Microseconds since 1970: as exact as PostgreSQL keeps it. */
  readonly atMicros: number;
  readonly actorType: string;
  readonly actorId: string | null;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** As PostgreSQL writes it: the text is what was hashed. */
  readonly data: string;
  readonly hash: Buffer;
}

/** The hash before the first entry. */
export const beforeTheFirst = Buffer.alloc(32);

/** 2026-11-15T08:00:00.123456Z */
export function toTime(micros: number): string {
  const seconds = Math.floor(micros / 1e6);
  const fraction = String(micros - seconds * 1e6).padStart(6, "0");
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z`;
}

/** What an entry's hash covers beside the hash before it. The same as audit_text in the database. */
export function auditText(entry: StoredEntry, number = entry.number): string {
  const { atMicros, actorType, actorId, action, subjectType, subjectId, data } = entry;
  return [number, toTime(atMicros), actorType, actorId ?? "", action, subjectType, subjectId, data].join("\n");
}

/** The hash that an entry must have behind the one before it. */
export const hashOf = (previous: Uint8Array, text: string): Buffer =>
  createHash("sha256").update(previous).update(text).digest();
