import { randomBytes } from "node:crypto";

const uuid = (bytes: Buffer) => bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** Creates UUIDv7 ids, which sort by time and then by their order in the array. */
export function newUuidsV7(count: number, at: Date = new Date()): string[] {
  return Array.from({ length: count }, (_, index) => {
    const bytes = randomBytes(16);
    bytes.writeUIntBE(at.getTime() + Math.floor(index / 4096), 0, 6);
    bytes.writeUInt16BE(0x7000 | (index % 4096), 6);
    bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
    return uuid(bytes);
  });
}

/** The smallest id with this timestamp, or of all if it is before 1970. */
export function firstUuidV7Of(at: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, at.getTime()), 0, 6);
  return uuid(bytes);
}

export const newUuidV7 = (): string => newUuidsV7(1)[0] as string;
