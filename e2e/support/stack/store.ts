import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from "@aws-sdk/client-s3";
import { s3Client, type TestWorkspace } from "./stack.ts";

/** Direct access to the object store, bypassing the service. */
export interface Store {
  keys(): Promise<string[]>;
  /** SHA-256 of an object; undefined if it does not exist. */
  sha256(key: string): Promise<string | undefined>;
  /** Keys of incomplete multipart uploads. */
  openUploads(): Promise<string[]>;
  /** Content of an object; throws if it does not exist. */
  read(key: string): Promise<Buffer>;
  /** Deletes an object, like an operator's mistake. */
  remove(key: string): Promise<void>;
  /** Overwrites or creates an object. */
  overwrite(key: string, bytes: Uint8Array): Promise<void>;
  /** Flips one byte of an object, like a failing disk. */
  flipByte(key: string, at: number): Promise<void>;
  /** Closes the store and frees its disk space if it is not shared. */
  close(): Promise<void>;
}

function setting(stack: TestWorkspace, name: string): string {
  const value = stack.env[name];
  if (!value) throw new Error(`the stack has no ${name}`);
  return value;
}

async function digest(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest("hex");
}

function s3Store(client: S3Client, Bucket: string): Store {
  async function read(Key: string): Promise<Readable | undefined> {
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      return Body instanceof Readable ? Body : undefined;
    } catch (error) {
      if (error instanceof NoSuchKey) return;
      throw error;
    }
  }
  async function whole(key: string): Promise<Buffer> {
    const body = await read(key);
    if (!body) throw new Error(`no object ${key}`);
    return Buffer.concat(await body.toArray());
  }
  return {
    async keys() {
      const keys: string[] = [];
      for await (const page of paginateListObjectsV2({ client }, { Bucket })) {
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.push(Key);
      }
      return keys;
    },
    async sha256(key) {
      const body = await read(key);
      return body && digest(body);
    },
    async openUploads() {
      const keys: string[] = [];
      for (let KeyMarker: string | undefined, UploadIdMarker: string | undefined; ; ) {
        const page = await client.send(new ListMultipartUploadsCommand({ Bucket, KeyMarker, UploadIdMarker }));
        for (const { Key } of page.Uploads ?? []) if (Key !== undefined) keys.push(Key);
        if (!page.IsTruncated) return keys;
        KeyMarker = page.NextKeyMarker;
        UploadIdMarker = page.NextUploadIdMarker;
      }
    },
    read: whole,
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
    async overwrite(Key, Body) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body }));
    },
    async flipByte(Key, at) {
      const Body = await whole(Key);
      Body.writeUInt8(Body.readUInt8(at) ^ 1, at);
      await client.send(new PutObjectCommand({ Bucket, Key, Body }));
    },
    async close() {
      client.destroy();
    },
  };
}

function folderStore(root: string): Store {
  return {
    async keys() {
      const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(absent);
      return (entries ?? [])
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)));
    },
    sha256: (key) => digest(createReadStream(join(root, key))).catch(absent),
    // Incomplete uploads are ordinary files in the folder.
    openUploads: async () => [],
    read: (key) => readFile(join(root, key)),
    remove: (key) => rm(join(root, key)),
    async overwrite(key, bytes) {
      await mkdir(dirname(join(root, key)), { recursive: true });
      await writeFile(join(root, key), bytes);
    },
    async flipByte(key, at) {
      const file = await open(join(root, key), "r+");
      try {
        const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: at });
        buffer.writeUInt8(buffer.readUInt8(0) ^ 1, 0);
        await file.write(buffer, 0, 1, at);
      } finally {
        await file.close();
      }
    },
    async close() {
      await rm(root, { recursive: true, force: true });
    },
  };
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

export function openStore(stack: TestWorkspace): Store {
  return stack.engine === "filesystem"
    ? folderStore(setting(stack, "STORAGE_DIR"))
    : s3Store(s3Client(), setting(stack, "S3_BUCKET"));
}
