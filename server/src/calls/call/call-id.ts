import { hash } from "node:crypto";

export interface CallIdentity {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly agentId: string;
  readonly happenedAt: Date;
  readonly sha256: Buffer;
}

/**
 * Deterministic id, which makes imports idempotent: 48 bits of conversation time (as in UUIDv7, so ids sort by time), then a
 * digest of the call's identity.
 */
export function callId({ workspaceId, campaignId, agentId, happenedAt, sha256 }: CallIdentity): string {
  const time = happenedAt.getTime();
  // Campaign ids contain no line break, so different identities never produce the same text.
  const identity = [workspaceId, campaignId, agentId, time, sha256.toString("hex")].join("\n");
  const digest = hash("sha256", identity, "buffer");
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(time, 0, 6);
  digest.copy(bytes, 6, 0, 10);
  // UUID version 8 (custom) and the RFC 9562 variant.
  bytes.writeUInt8(0x80 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
