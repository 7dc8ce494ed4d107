/** The WebAuthn user handle: workspace and user id as bytes, without personal data. */
export const toUserHandle = (workspaceId: string, userId: string) =>
  Uint8Array.from(Buffer.from(`${workspaceId}${userId}`.replaceAll("-", ""), "hex"));

/** Returns undefined if the handle is not in our format. */
export function parseUserHandle(handle = ""): { workspaceId: string; userId: string } | undefined {
  const bytes = Buffer.from(handle, "base64url");
  if (bytes.length !== 32) return undefined;
  return { workspaceId: toUuid(bytes.subarray(0, 16)), userId: toUuid(bytes.subarray(16)) };
}

const toUuid = (bytes: Buffer) => bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
