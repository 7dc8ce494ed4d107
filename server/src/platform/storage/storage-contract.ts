import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Bytes, maxChunkBytes, ObjectMissing, type Storage } from "./types.ts";

async function read(bytes: Bytes): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function put(storage: Storage, key: string, body: Buffer, chunkBytes = 64 * 1024): Promise<void> {
  const upload = storage.create(key, "owner");
  for (let at = 0; at < body.length; at += chunkBytes) await upload.write(body.subarray(at, at + chunkBytes));
  await upload.finish();
}

/** Contract tests for storage engines. Each engine's test file runs this suite. */
export function storageContract(open: () => Storage): void {
  describe("a storage engine", () => {
    const storage = open();
    const aKey = () => `recordings/contract/${randomUUID()}`;

    test.each([0, 1, 65_536, 5 * 1024 * 1024, 5 * 1024 * 1024 + 1, 12_345_678])(
      "returns the %i bytes that were written",
      async (size) => {
        const key = aKey();
        const body = randomBytes(size);
        await put(storage, key, body);
        expect((await read(await storage.get(key))).equals(body)).toBe(true);
      },
    );

    test("accepts chunks while a part is being sent", async () => {
      const key = aKey();
      const body = randomBytes(12_000_000);
      const upload = storage.create(key, "owner");
      let at = 0;
      const next = (size: number) => {
        at += size;
        return body.subarray(at - size, at);
      };
      while (at < body.length) {
        const full = upload.write(next(100_000));
        // A reader that got a promise may still have one chunk to write.
        if (full) void upload.write(next(1000));
        await full;
      }
      await upload.finish();
      expect((await read(await storage.get(key))).equals(body)).toBe(true);
    });

    test("returns an inclusive byte range", async () => {
      const key = aKey();
      await put(storage, key, Buffer.from("0123456789"));
      expect((await read(await storage.get(key, { start: 2, end: 5 }))).toString()).toBe("2345");
    });

    test("stores nothing of an aborted upload", async () => {
      const key = aKey();
      const upload = storage.create(key, "owner");
      for (let megabytes = 0; megabytes < 6; megabytes += 0.25) await upload.write(randomBytes(maxChunkBytes));
      await upload.abort();
      await storage.delete(key);
      await expect(storage.get(key)).rejects.toBeInstanceOf(ObjectMissing);
    });

    test("ignores deleting an object that does not exist", async () => {
      const key = aKey();
      await put(storage, key, Buffer.from("x"));
      await storage.delete(key);
      await storage.delete(key);
      await expect(storage.get(key)).rejects.toBeInstanceOf(ObjectMissing);
    });

    test("deletes many objects and ignores those that do not exist", async () => {
      const keys = Array.from({ length: 5 }, aKey);
      for (const key of keys.slice(1)) await put(storage, key, Buffer.from("x"));
      await storage.deleteWhole(keys.slice(0, 4));
      for (const key of keys.slice(0, 4)) await expect(storage.get(key)).rejects.toBeInstanceOf(ObjectMissing);
      expect((await read(await storage.get(keys[4] ?? ""))).toString()).toBe("x");
      await storage.deleteWhole([]);
    });

    test("lists only keys below a prefix", async () => {
      const folder = `lists/${randomUUID()}`;
      const keys = Array.from({ length: 12 }, (_, n) => `${folder}/a/${n % 3}/${n}`).sort();
      for (const key of [...keys, `${folder}/ab/x`]) await put(storage, key, Buffer.from("x"));
      const listed = async (prefix: string) => {
        const found: string[] = [];
        for await (const key of storage.list(prefix)) found.push(key);
        return found.sort();
      };
      expect(await listed(`${folder}/a/`)).toEqual(keys);
      expect(await listed(`${folder}/none/`)).toEqual([]);
    });

    test("lists the folders below a prefix, each once", async () => {
      const folder = `lists/${randomUUID()}/`;
      for (const key of ["a/1/x", "a/2/x", "b/1/x", "file"]) await put(storage, folder + key, Buffer.from("x"));
      const listed = async (prefix: string) => {
        const found: string[] = [];
        for await (const name of storage.listFolders(prefix)) found.push(name);
        return found.sort();
      };
      expect(await listed(folder)).toEqual([`${folder}a/`, `${folder}b/`]);
      expect(await listed(`${folder}none/`)).toEqual([]);
    });

    test("returns the size of an object, or undefined if it does not exist", async () => {
      const key = aKey();
      await put(storage, key, randomBytes(70_000));
      expect(await storage.size(key)).toBe(70_000);
      await storage.delete(key);
      expect(await storage.size(key)).toBeUndefined();
    });

    test("passes its own check", async () => {
      await storage.check();
    });

    test("accepts 40 concurrent large uploads with memory for fewer", async () => {
      const body = randomBytes(700 * 1024);
      const keys = Array.from({ length: 40 }, aKey);
      await Promise.all(keys.map((key) => put(storage, key, body)));
      for (const key of keys.slice(0, 3)) expect((await read(await storage.get(key))).equals(body)).toBe(true);
    });
  });
}
