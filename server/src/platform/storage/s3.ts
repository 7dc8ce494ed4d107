import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  NoSuchUpload,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import type { StorageConfig } from "../config.ts";
import { checkStorage } from "./check-storage.ts";
import { openPutClient, type PutClient } from "./s3-put.ts";
import { signLink } from "./sign-request.ts";
import { openSlabs, type Slabs } from "./slabs.ts";
import {
  type ByteRange,
  type Bytes,
  maxChunkBytes,
  type ObjectLink,
  ObjectMissing,
  type Storage,
  type Upload,
} from "./types.ts";

type S3Config = Extract<StorageConfig, { kind: "s3" }>;

/** The smallest part S3 takes. What is not larger goes out as one PUT of known length. */
const partBytes = 5 * 1024 * 1024;
/** Up to here an upload needs no slab, so that many small or slow ones never wait for a few large ones. */
const freeBytes = 256 * 1024;
/** A part, the chunk that made it full, and those that may have come while it was on its way. */
const slabBytes = partBytes + 4 * maxChunkBytes;

function bucketUrl({ bucket, region, pathStyle }: S3Config, endpoint: string | undefined): string {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (pathStyle) return `${url.href.replace(/\/$/, "")}/${bucket}`;
  url.hostname = `${bucket}.${url.hostname}`;
  return url.href.replace(/\/$/, "");
}

const silenceMs = 10_000;

/** The body, ended with an error when the store falls silent in the middle of it. A reader who pauses is not silence. */
async function* endIfSilent(body: Readable): Bytes {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(() => body.destroy(new Error("the object store fell silent")), silenceMs);
      const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    body.destroy();
  }
}

export function openS3(config: S3Config): Storage {
  const { bucket: Bucket } = config;
  const client = new S3Client({
    region: config.region,
    forcePathStyle: config.pathStyle,
    ...(config.endpoint && { endpoint: config.endpoint }),
    ...(config.credentials && { credentials: config.credentials }),
    // The defaults send headers that other stores than Amazon's do not know.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 2,
    // Without the last of these a request to a silent store is only complained about, never ended.
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  });
  const puts = openPutClient({
    bucketUrl: bucketUrl(config, config.endpoint),
    region: config.region,
    credentials: () => client.config.credentials(),
  });
  const slabs = openSlabs(Math.floor(config.uploadMemoryBytes / slabBytes), slabBytes);

  async function get(key: string, range?: ByteRange) {
    try {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key, ...(Range && { Range }) }));
      return endIfSilent(Body as Readable);
    } catch (error) {
      throw error instanceof NoSuchKey ? new ObjectMissing(key) : error;
    }
  }

  const readers = new URL(bucketUrl(config, config.publicEndpoint ?? config.endpoint));

  async function link(key: string, { seconds, mediaType, fileName }: ObjectLink): Promise<string> {
    const path = `${readers.pathname.replace(/\/$/, "")}/${key}`;
    const parameters = {
      "response-cache-control": "private, no-store",
      "response-content-disposition": `inline; filename="${fileName}"`,
      "response-content-type": mediaType,
    };
    const credentials = await client.config.credentials();
    const query = signLink({ host: readers.host, path, parameters, seconds }, credentials, config.region);
    return `${readers.origin}${path}?${query}`;
  }

  async function abandonUploads(key: string): Promise<void> {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: key }));
    for (const { Key, UploadId } of Uploads) {
      if (Key === key && UploadId) await abortUpload(client, { Bucket, Key, UploadId });
    }
  }

  const storage: Storage = {
    create: (key, owner) => createUpload({ client, puts, slabs, bucket: Bucket }, key, owner),
    get,
    link,
    async delete(key) {
      await abandonUploads(key);
      await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
    },
    deleteWhole: (keys) => deleteWhole(client, Bucket, keys),
    async *list(prefix) {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
        for (const { Key } of Contents) if (Key !== undefined) yield Key;
      }
    },
    check: () => checkStorage(storage),
    close() {
      puts.close();
      client.destroy();
    },
  };
  return storage;
}

const mostDeletedAtOnce = 1000;
/** Where a store knows only how to delete one. */
const singlyAtOnce = 8;

/** Many with one request or, on a store that does not know it, one by one. */
async function deleteWhole(client: S3Client, Bucket: string, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += mostDeletedAtOnce) {
    const batch = keys.slice(at, at + mostDeletedAtOnce);
    const Delete = { Objects: batch.map((Key) => ({ Key })), Quiet: true };
    const left = await client.send(new DeleteObjectsCommand({ Bucket, Delete })).then(
      ({ Errors = [] }) => Errors.flatMap(({ Key }) => Key ?? []),
      () => batch,
    );
    for (let next = 0; next < left.length; next += singlyAtOnce) {
      const some = left.slice(next, next + singlyAtOnce);
      await Promise.all(some.map((Key) => client.send(new DeleteObjectCommand({ Bucket, Key }))));
    }
  }
}

/** Ends an open upload; one that is over already is no error. */
async function abortUpload(client: S3Client, upload: { Bucket: string; Key: string; UploadId: string }): Promise<void> {
  await client.send(new AbortMultipartUploadCommand(upload)).catch((error: unknown) => {
    if (!(error instanceof NoSuchUpload) && (error as Error).name !== "NoSuchUpload") throw error;
  });
}

interface UploadParts {
  readonly client: S3Client;
  readonly puts: PutClient;
  readonly slabs: Slabs;
  readonly bucket: string;
}

/** Gathers up to one part, so that a length is known before it is sent. Never holds more. */
function createUpload({ client, puts, slabs, bucket: Bucket }: UploadParts, Key: string, owner: string): Upload {
  /** What has no place in a slab yet: all of a small recording, or what came while a part is on its way. */
  let loose: Uint8Array[] = [];
  let looseBytes = 0;
  let slab: Uint8Array | undefined;
  let filled = 0;
  /** Until it resolves, nothing is written to the slab. */
  let busy: Promise<void> | undefined;
  let UploadId: string | undefined;
  const parts: { PartNumber: number; ETag: string }[] = [];

  function fill(chunk: Uint8Array): void {
    slab?.set(chunk, filled);
    filled += chunk.length;
  }

  /** Does work that needs the slab to itself, then puts into it what came meanwhile. */
  function withSlab(work: () => Promise<void>): Promise<void> {
    busy = work().then(() => {
      busy = undefined;
      for (const chunk of loose) fill(chunk);
      loose = [];
      looseBytes = 0;
    });
    return busy;
  }

  async function takeSlab(): Promise<void> {
    slab = await slabs.take(owner);
  }

  async function sendPart(): Promise<void> {
    UploadId ??= (await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))).UploadId ?? "";
    const PartNumber = parts.length + 1;
    const query = `partNumber=${PartNumber}&uploadId=${encodeURIComponent(UploadId)}`;
    parts.push({ PartNumber, ETag: await putSlab(query) });
    filled = 0;
  }

  const putSlab = (query?: string) => puts.put(Key, slab ? [slab.subarray(0, filled)] : [], filled, query);

  function release(): void {
    loose = [];
    if (slab) slabs.giveBack(owner, slab);
    slab = undefined;
  }

  return {
    write(chunk) {
      if (slab && !busy) {
        fill(chunk);
        return filled < partBytes ? undefined : withSlab(sendPart);
      }
      loose.push(chunk);
      looseBytes += chunk.length;
      if (busy) return busy;
      return looseBytes < freeBytes ? undefined : withSlab(takeSlab);
    },
    async finish() {
      try {
        await busy;
        if (!slab) {
          await puts.put(Key, loose, looseBytes);
        } else if (UploadId === undefined) {
          await putSlab();
        } else {
          if (filled > 0) await sendPart();
          const MultipartUpload = { Parts: parts };
          await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
          UploadId = undefined;
        }
      } finally {
        release();
      }
    },
    async abort() {
      // An upload that is being opened, or a part of it, must not appear after it was removed.
      await busy?.catch(() => {});
      release();
      if (UploadId) await abortUpload(client, { Bucket, Key, UploadId });
    },
  };
}
