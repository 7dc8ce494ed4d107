import type { ByteRange } from "../../storage/types.ts";

/**
 * Parses a Range header with one byte range. Undefined: send everything; also for several ranges and other units, which
 * a server may ignore. Null: not satisfiable (416).
 */
export function parseRange(header: string | undefined, bytes: number): ByteRange | undefined | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  const [first = "", last = ""] = match.slice(1);
  if (first === "") {
    const length = Math.min(Number(last), bytes);
    return length > 0 ? { start: bytes - length, end: bytes - 1 } : null;
  }
  const start = Number(first);
  const end = last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start < bytes ? { start, end } : null;
}
