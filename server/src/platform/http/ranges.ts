import type { ByteRange } from "../storage/types.ts";

/**
 * The one range of bytes that a Range header asks for. Undefined: all of it is to be sent, also when several ranges or
 * another unit are asked for, as a server may. Null: there are no such bytes (416).
 */
export function parseRange(header: string | undefined, bytes: number): ByteRange | undefined | null {
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  if (!asked || (asked[1] === "" && asked[2] === "")) return undefined;
  const [first = "", last = ""] = asked.slice(1);
  if (first === "") {
    const length = Math.min(Number(last), bytes);
    return length > 0 ? { start: bytes - length, end: bytes - 1 } : null;
  }
  const start = Number(first);
  const end = last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start < bytes ? { start, end } : null;
}
