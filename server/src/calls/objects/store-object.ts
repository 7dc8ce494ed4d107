import type { App } from "../../platform/app.ts";
import { storageUnavailable } from "../../platform/errors.ts";
import type { Bytes } from "../../platform/storage/types.ts";

export const pieceBytes = 128 * 1024;

export async function* piecesOf(...buffers: Buffer[]): Bytes {
  for (const buffer of buffers) {
    for (let at = 0; at < buffer.length; at += pieceBytes) yield buffer.subarray(at, at + pieceBytes);
  }
}

/** Stores an object whose key is staged already. Returns the number of bytes stored. */
export async function storeObject(
  app: App,
  { key, owner }: { key: string; owner: string },
  bytes: Bytes,
): Promise<number> {
  const upload = app.storage.create(key, owner);
  let stored = 0;
  try {
    for await (const chunk of bytes) {
      await upload.write(chunk);
      stored += chunk.length;
    }
    await upload.finish();
    return stored;
  } catch (error) {
    await upload.abort().catch(() => {});
    throw storageUnavailable(error);
  }
}
