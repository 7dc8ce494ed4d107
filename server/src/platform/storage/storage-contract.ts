import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Bytes, maxChunkBytes, ObjectMissing, type Storage } from "./types.ts";

async function read(bytes: Bytes): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function put(storage: Storage, key: string, body: Buffer, chunkBytes = 64 * 1024): Promise<void> {
  const upload = storage.create(key, "nobody");
  for (let at = 0; at < body.length; at += chunkBytes) await upload.write(body.subarray(at, at + chunkBytes));
  await upload.finish();
}

/** What every storage engine must do. Each engine's test file runs this suite. */
export function storageContract(open: () => Storage): void {
  describe("a storage engine", () => {
    const storage = open();
    const aKey = () => `recordings/contract/${randomUUID()}`;

    test.each([0, 1, 65_536, 5 * 1024 * 1024, 5 * 1024 * 1024 + 1, 12_345_678])(
      "gives back the %i bytes that were put",
      async (size) => {
        const key = aKey();
        const body = randomBytes(size);
        await put(storage, key, body);
        expect((await read(await storage.get(key))).equals(body)).toBe(true);
      },
    );

    test("keeps apart what is written while another part is on its way", async () => {
      const key = aKey();
      const body = randomBytes(12_000_000);
      const upload = storage.create(key, "nobody");
      let at = 0;
      const next = (size: number) => {
        at += size;
        return body.subarray(at - size, at);
      };
      while (at < body.length) {
        const full = upload.write(next(100_000));
        // A reader that got a promise may still hold a chunk that it has read already.
        if (full) void upload.write(next(1000));
        await full;
      }
      await upload.finish();
      expect((await read(await storage.get(key))).equals(body)).toBe(true);
    });

    test("gives a range, both ends included", async () => {
      const key = aKey();
      await put(storage, key, Buffer.from("0123456789"));
      expect((await read(await storage.get(key, { start: 2, end: 5 }))).toString()).toBe("2345");
    });

    test("has nothing of an upload that was not finished", async () => {
      const key = aKey();
      const upload = storage.create(key, "nobody");
      for (let megabytes = 0; megabytes < 6; megabytes += 0.25) await upload.write(randomBytes(maxChunkBytes));
      await upload.abort();
      await storage.delete(key);
      await expect(storage.get(key)).rejects.toBeInstanceOf(ObjectMissing);
    });

    test("deletes twice without complaint", async () => {
      const key = aKey();
      await put(storage, key, Buffer.from("x"));
      await storage.delete(key);
      await storage.delete(key);
      await expect(storage.get(key)).rejects.toBeInstanceOf(ObjectMissing);
    });

    test("deletes many at once, and those that are not there without complaint", async () => {
      const keys = Array.from({ length: 5 }, aKey);
      for (const key of keys.slice(1)) await put(storage, key, Buffer.from("x"));
      await storage.deleteWhole(keys.slice(0, 4));
      for (const key of keys.slice(0, 4)) await expect(storage.get(key)).rejects.toBeInstanceOf(ObjectMissing);
      expect((await read(await storage.get(keys[4] ?? ""))).toString()).toBe("x");
      await storage.deleteWhole([]);
    });

    test("lists what is below a prefix and nothing else", async () => {
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

    test("finds itself in order", async () => {
      await storage.check();
    });

    test("takes forty large uploads at once, though memory is for fewer", async () => {
      const body = randomBytes(700 * 1024);
      const keys = Array.from({ length: 40 }, aKey);
      await Promise.all(keys.map((key) => put(storage, key, body)));
      for (const key of keys.slice(0, 3)) expect((await read(await storage.get(key))).equals(body)).toBe(true);
    });
  });
}
