import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  S3Client,
} from "@aws-sdk/client-s3";
import type { StorageConfig } from "../config.ts";
import { checkStorage } from "./check-storage.ts";
import { type Leases, openLeases } from "./leases.ts";
import { openPutClient, type PutClient } from "./s3-put.ts";
import { type ByteRange, ObjectMissing, type Storage, type Upload } from "./types.ts";

type S3Config = Extract<StorageConfig, { kind: "s3" }>;

/** The smallest part S3 takes. What is not larger goes out as one PUT of known length. */
const partBytes = 5 * 1024 * 1024;
/** Up to here an upload needs no lease, so that many small or slow ones never wait for a few large ones. */
const freeBytes = 256 * 1024;

function bucketUrl({ endpoint, bucket, region, pathStyle }: S3Config): string {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (pathStyle) return `${url.href.replace(/\/$/, "")}/${bucket}`;
  url.hostname = `${bucket}.${url.hostname}`;
  return url.href.replace(/\/$/, "");
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
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 15_000 },
  });
  const puts = openPutClient({
    bucketUrl: bucketUrl(config),
    region: config.region,
    credentials: () => client.config.credentials(),
  });
  const leases = openLeases(Math.floor(config.uploadMemoryBytes / partBytes));

  async function get(key: string, range?: ByteRange) {
    try {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key, ...(Range && { Range }) }));
      return Body as Readable;
    } catch (error) {
      throw error instanceof NoSuchKey ? new ObjectMissing(key) : error;
    }
  }

  async function abandonUploads(key: string): Promise<void> {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: key }));
    for (const { Key, UploadId } of Uploads) {
      if (Key === key) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    }
  }

  const storage: Storage = {
    create: (key) => createUpload({ client, puts, leases, bucket: Bucket }, key),
    get,
    async delete(key) {
      await abandonUploads(key);
      await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
    },
    check: () => checkStorage(storage),
    close() {
      puts.close();
      client.destroy();
    },
  };
  return storage;
}

interface UploadParts {
  readonly client: S3Client;
  readonly puts: PutClient;
  readonly leases: Leases;
  readonly bucket: string;
}

/** Gathers up to one part, so that a length is known before it is sent. Never holds more. */
function createUpload({ client, puts, leases, bucket: Bucket }: UploadParts, Key: string): Upload {
  let gathered: Uint8Array[] = [];
  let bytes = 0;
  let leased: Promise<void> | undefined;
  let UploadId: string | undefined;
  let sending: Promise<void> | undefined;
  const parts: { PartNumber: number; ETag: string }[] = [];

  async function sendPart(): Promise<void> {
    const chunks = gathered;
    const length = bytes;
    gathered = [];
    bytes = 0;
    await leased;
    UploadId ??= (await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))).UploadId ?? "";
    const PartNumber = parts.length + 1;
    const query = `partNumber=${PartNumber}&uploadId=${encodeURIComponent(UploadId)}`;
    parts.push({ PartNumber, ETag: await puts.put(Key, chunks, length, query) });
  }

  function release(): void {
    gathered = [];
    void leased?.then(leases.giveBack);
    leased = undefined;
  }

  return {
    write(chunk) {
      gathered.push(chunk);
      bytes += chunk.length;
      if (bytes >= partBytes) {
        sending = sendPart();
        return sending;
      }
      if (bytes < freeBytes || leased) return undefined;
      leased = leases.take();
      return leased;
    },
    async finish() {
      try {
        if (UploadId === undefined) {
          await puts.put(Key, gathered, bytes);
          return;
        }
        if (bytes > 0) await sendPart();
        const MultipartUpload = { Parts: parts };
        await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
      } finally {
        release();
      }
    },
    async abort() {
      // An upload that is being opened, or a part of it, must not appear after it was removed.
      await sending?.catch(() => {});
      release();
      if (UploadId) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    },
  };
}
