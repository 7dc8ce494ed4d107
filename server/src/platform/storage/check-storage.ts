import { randomUUID } from "node:crypto";
import type { Storage } from "./types.ts";

/** Writes, reads and deletes a small object. Shared implementation of `Storage.check`. */
export async function checkStorage(storage: Pick<Storage, "create" | "get" | "delete">): Promise<void> {
  const key = `check/${randomUUID()}`;
  const upload = storage.create(key, "check");
  await upload.write(Buffer.from("hearback"));
  await upload.finish();
  let read = "";
  for await (const chunk of await storage.get(key)) read += Buffer.from(chunk).toString("latin1");
  await storage.delete(key);
  if (read !== "hearback") throw new Error("the content of an object differs from what was written");
}
