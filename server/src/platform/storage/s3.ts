import type { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketReplicationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  NoSuchKey,
  NotFound,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import type { StorageConfig } from "../config.ts";
import { openBufferPool } from "./buffer-pool.ts";
import { checkStorage } from "./check-storage.ts";
import { openPutClient } from "./s3-put.ts";
import { abortUpload, bufferBytes, createUpload } from "./s3-upload.ts";
import { type Credentials, signLink } from "./sign-request.ts";
import { type ByteRange, type Bytes, type ObjectLink, ObjectMissing, type Storage } from "./types.ts";

type S3Config = Extract<StorageConfig, { kind: "s3" }>;

function bucketUrl({ bucket, region, pathStyle }: S3Config, endpoint: string | undefined): string {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (pathStyle) return `${url.href.replace(/\/$/, "")}/${bucket}`;
  url.hostname = `${bucket}.${url.hostname}`;
  return url.href.replace(/\/$/, "");
}

const idleTimeoutMs = 10_000;

/** Aborts the body if the store sends nothing for too long. Time in which the reader pauses does not count. */
async function* withIdleTimeout(body: Readable): Bytes {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(() => body.destroy(new Error("the object store stopped sending data")), idleTimeoutMs);
      const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    body.destroy();
  }
}

function clientOptions(config: S3Config): S3ClientConfig {
  return {
    region: config.region,
    forcePathStyle: config.pathStyle,
    ...(config.endpoint && { endpoint: config.endpoint }),
    ...(config.credentials && { credentials: config.credentials }),
    // By default, the SDK sends checksum headers that some S3-compatible stores do not support.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 2,
    // Without throwOnRequestTimeout, a timeout is only logged.
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  };
}

/** Returns a function that signs temporary links for browsers. */
function openLinks(config: S3Config, readCredentials: () => Promise<Credentials>) {
  const bucket = new URL(bucketUrl(config, config.publicEndpoint ?? config.endpoint));
  return async (key: string, { seconds, mediaType, fileName }: ObjectLink): Promise<string> => {
    const path = `${bucket.pathname.replace(/\/$/, "")}/${key}`;
    const parameters = {
      "response-cache-control": "private, no-store",
      "response-content-disposition": `inline; filename="${fileName}"`,
      "response-content-type": mediaType,
    };
    const query = signLink({ host: bucket.host, path, parameters, seconds }, await readCredentials(), config.region);
    return `${bucket.origin}${path}?${query}`;
  };
}

export function openS3(config: S3Config): Storage {
  const { bucket: Bucket } = config;
  const options = clientOptions(config);
  const client = new S3Client(options);
  // A separate connection pool, so that reads and writes do not wait for each other.
  const reads = new S3Client(options);
  const puts = openPutClient({
    bucketUrl: bucketUrl(config, config.endpoint),
    region: config.region,
    credentials: () => client.config.credentials(),
  });
  const buffers = openBufferPool(Math.floor(config.uploadMemoryBytes / bufferBytes), bufferBytes);

  async function get(key: string, range?: ByteRange) {
    try {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body } = await reads.send(new GetObjectCommand({ Bucket, Key: key, ...(Range && { Range }) }));
      return withIdleTimeout(Body as Readable);
    } catch (error) {
      throw error instanceof NoSuchKey ? new ObjectMissing(key) : error;
    }
  }

  async function abortUploads(key: string): Promise<void> {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: key }));
    for (const { Key, UploadId } of Uploads) {
      if (Key === key && UploadId) await abortUpload(client, { Bucket, Key, UploadId });
    }
  }

  const storage: Storage = {
    create: (key, owner) => createUpload({ client, puts, buffers, bucket: Bucket }, key, owner),
    get,
    async size(key) {
      try {
        return (await client.send(new HeadObjectCommand({ Bucket, Key: key }))).ContentLength;
      } catch (error) {
        if (error instanceof NotFound || error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    link: openLinks(config, () => client.config.credentials()),
    async delete(key) {
      await abortUploads(key);
      await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
    },
    deleteWhole: (keys) => deleteWhole(client, Bucket, keys),
    async *list(prefix, after) {
      const query = { Bucket, Prefix: prefix, ...(after !== undefined && { StartAfter: after }) };
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, query)) {
        for (const { Key } of Contents) if (Key !== undefined) yield Key;
      }
    },
    async *listFolders(prefix) {
      const query = { Bucket, Prefix: prefix, Delimiter: "/" };
      for await (const { CommonPrefixes = [] } of paginateListObjectsV2({ client }, query)) {
        for (const { Prefix } of CommonPrefixes) if (Prefix !== undefined) yield Prefix;
      }
    },
    findProtection: () => findProtection(client, Bucket),
    undelete: (key) => undelete(client, Bucket, key),
    check: () => checkStorage(storage),
    close() {
      puts.close();
      client.destroy();
      reads.destroy();
    },
  };
  return storage;
}

async function findProtection(client: S3Client, Bucket: string) {
  if ((await client.send(new GetBucketVersioningCommand({ Bucket }))).Status === "Enabled") return "versioned";
  // Stores without replication, and buckets without it, answer with an error.
  const replication = await client.send(new GetBucketReplicationCommand({ Bucket })).catch(() => undefined);
  const rules = replication?.ReplicationConfiguration?.Rules ?? [];
  return rules.some(({ Status }) => Status === "Enabled") ? "replicated" : "none";
}

/** Removes the delete markers of a key, so that its last version is the object again. */
async function undelete(client: S3Client, Bucket: string, Key: string): Promise<boolean> {
  const { Versions = [], DeleteMarkers = [] } = await client.send(
    new ListObjectVersionsCommand({ Bucket, Prefix: Key }),
  );
  if (!Versions.some((version) => version.Key === Key)) return false;
  for (const marker of DeleteMarkers) {
    if (marker.Key !== Key) continue;
    await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId: marker.VersionId }));
  }
  return true;
}

const maxKeysPerDelete = 1000;
/** Concurrent single deletes, for stores without DeleteObjects. */
const concurrentDeletes = 8;

/** Deletes keys in batches. Keys that fail, or all on a store without DeleteObjects, are deleted one by one. */
async function deleteWhole(client: S3Client, Bucket: string, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += maxKeysPerDelete) {
    const batch = keys.slice(at, at + maxKeysPerDelete);
    const Delete = { Objects: batch.map((Key) => ({ Key })), Quiet: true };
    const left = await client.send(new DeleteObjectsCommand({ Bucket, Delete })).then(
      ({ Errors = [] }) => Errors.flatMap(({ Key }) => Key ?? []),
      () => batch,
    );
    for (let next = 0; next < left.length; next += concurrentDeletes) {
      const group = left.slice(next, next + concurrentDeletes);
      await Promise.all(group.map((Key) => client.send(new DeleteObjectCommand({ Bucket, Key }))));
    }
  }
}
