import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openFilesystem } from "./filesystem.ts";
import { storageContract } from "./storage-contract.ts";
import { heldBytes } from "./types.ts";

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

test("an aborted upload frees its disk space, a finished one is kept", async () => {
  const storage = openFilesystem(root);
  for (const [name, finish] of [
    ["unfinished", false],
    ["finished", true],
  ] as const) {
    const upload = storage.create(`recordings/${name}`, "owner");
    await upload.write(Buffer.alloc(heldBytes));
    expect(await storage.size(`recordings/${name}`)).toBe(heldBytes);
    if (finish) await upload.finish();
    await upload.abort();
    expect(await storage.size(`recordings/${name}`)).toBe(finish ? heldBytes : undefined);
  }
});
