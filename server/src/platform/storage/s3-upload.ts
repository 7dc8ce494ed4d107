import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  NoSuchUpload,
  type S3Client,
} from "@aws-sdk/client-s3";
import type { BufferPool } from "./buffer-pool.ts";
import type { PutClient } from "./s3-put.ts";
import { maxChunkBytes, type Upload } from "./types.ts";

/** Minimum size of an S3 multipart part. Smaller objects are sent as a single PUT. */
const partBytes = 5 * 1024 * 1024;
/**
 * Uploads up to this size need no pooled buffer, so that many small or slow uploads never wait for a few large ones.
 */
const unpooledBytes = 256 * 1024;
/**
 * Time limit for storing a part, and for completing an upload, with all retries. A store that is slower is treated as
 * unavailable, so that the client gets a response within 30 seconds.
 */
const timeLimitMs = 20_000;
/** Room for a part, the chunk that completed it, and chunks that arrive while it is being sent. */
export const bufferBytes = partBytes + 4 * maxChunkBytes;

/** Aborts a multipart upload. Ignores uploads that no longer exist. */
export async function abortUpload(
  client: S3Client,
  upload: { Bucket: string; Key: string; UploadId: string },
): Promise<void> {
  await client.send(new AbortMultipartUploadCommand(upload)).catch((error: unknown) => {
    if (!(error instanceof NoSuchUpload) && (error as Error).name !== "NoSuchUpload") throw error;
  });
}

interface UploadParts {
  readonly client: S3Client;
  readonly puts: PutClient;
  readonly buffers: BufferPool;
  readonly bucket: string;
}

/** Buffers up to one part, because its length must be known before it is sent. */
export function createUpload(
  { client, puts, buffers, bucket: Bucket }: UploadParts,
  Key: string,
  owner: string,
): Upload {
  /** Chunks outside the pooled buffer: a whole small recording, or chunks that arrive while a part is being sent. */
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let buffer: Uint8Array | undefined;
  let filled = 0;
  /** While it is pending, nothing is written to the buffer. */
  let busy: Promise<void> | undefined;
  let UploadId: string | undefined;
  const parts: { PartNumber: number; ETag: string }[] = [];

  function fill(chunk: Uint8Array): void {
    buffer?.set(chunk, filled);
    filled += chunk.length;
  }

  /** Runs `work` with exclusive access to the buffer, then adds the chunks that arrived meanwhile. */
  function withBuffer(work: () => Promise<void>): Promise<void> {
    busy = work().then(() => {
      busy = undefined;
      for (const chunk of pending) fill(chunk);
      pending = [];
      pendingBytes = 0;
    });
    return busy;
  }

  async function takeBuffer(): Promise<void> {
    buffer = await buffers.take(owner);
  }

  async function sendPart(abortSignal = AbortSignal.timeout(timeLimitMs)): Promise<void> {
    const create = new CreateMultipartUploadCommand({ Bucket, Key });
    UploadId ??= (await client.send(create, { abortSignal })).UploadId ?? "";
    const PartNumber = parts.length + 1;
    const query = `partNumber=${PartNumber}&uploadId=${encodeURIComponent(UploadId)}`;
    parts.push({ PartNumber, ETag: await putBuffer(abortSignal, query) });
    filled = 0;
  }

  const putBuffer = (signal: AbortSignal, query?: string) =>
    puts.put(Key, { chunks: buffer ? [buffer.subarray(0, filled)] : [], bytes: filled }, signal, query);

  function release(): void {
    pending = [];
    if (buffer) buffers.giveBack(owner, buffer);
    buffer = undefined;
  }

  return {
    write(chunk) {
      if (buffer && !busy) {
        fill(chunk);
        return filled < partBytes ? undefined : withBuffer(() => sendPart());
      }
      pending.push(chunk);
      pendingBytes += chunk.length;
      if (busy) return busy;
      return pendingBytes < unpooledBytes ? undefined : withBuffer(takeBuffer);
    },
    async finish() {
      try {
        await busy;
        const abortSignal = AbortSignal.timeout(timeLimitMs);
        if (!buffer) {
          await puts.put(Key, { chunks: pending, bytes: pendingBytes }, abortSignal);
        } else if (UploadId === undefined) {
          await putBuffer(abortSignal);
        } else {
          if (filled > 0) await sendPart(abortSignal);
          const MultipartUpload = { Parts: parts };
          const complete = new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload });
          await client.send(complete, { abortSignal });
          UploadId = undefined;
        }
      } finally {
        release();
      }
    },
    async abort() {
      // Wait for pending requests, so that an upload or part does not reappear after it is deleted.
      await busy?.catch(() => {});
      release();
      if (UploadId) await abortUpload(client, { Bucket, Key, UploadId });
    },
  };
}
