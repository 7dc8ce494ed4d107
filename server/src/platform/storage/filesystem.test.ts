import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openFilesystem } from "./filesystem.ts";
import { storageContract } from "./storage-contract.ts";

const root = await mkdtemp(join(tmpdir(), "hearback-"));
afterAll(() => rm(root, { recursive: true }));

storageContract(() => openFilesystem(root));

test("only the service's account can read recordings and list folders", async () => {
  const before = process.umask(0);
  try {
    const upload = openFilesystem(root).create("recordings/a/b/one", "owner");
    await upload.write(Buffer.from("x"));
    await upload.finish();
  } finally {
    process.umask(before);
  }
  const mode = async (path: string) => ((await stat(join(root, path))).mode & 0o777).toString(8);
  expect(await mode("recordings/a/b/one")).toBe("600");
  for (const folder of ["recordings", "recordings/a", "recordings/a/b"]) expect(await mode(folder)).toBe("700");
});
