import { randomBytes } from "node:crypto";

const uuid = (bytes: Buffer) => bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** Ids that sort by time (UUIDv7), and among themselves in the order in which they are given. */
export function newIdsByTime(count: number, at: Date = new Date()): string[] {
  return Array.from({ length: count }, (_, index) => {
    const bytes = randomBytes(16);
    bytes.writeUIntBE(at.getTime() + Math.floor(index / 4096), 0, 6);
    bytes.writeUInt16BE(0x7000 | (index % 4096), 6);
    bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
    return uuid(bytes);
  });
}

/** The smallest id of that time. */
export function firstIdOf(at: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  return uuid(bytes);
}

/** One such id. */
export const newIdByTime = (): string => newIdsByTime(1)[0] as string;
