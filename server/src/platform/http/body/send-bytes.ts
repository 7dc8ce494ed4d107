import type { FastifyReply, FastifyRequest } from "fastify";
import { rangeNotSatisfiable } from "../../errors.ts";
import { readInPieces } from "../../storage/read-in-pieces.ts";
import type { StoredBytes } from "../../storage/types.ts";
import { parseRange } from "./ranges.ts";

/**
 * Streams the bytes, or the requested range, one piece at a time. `beforeSending` runs before the first byte is sent;
 * if it fails, nothing is sent.
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredBytes,
  beforeSending: () => Promise<void> = async () => {},
): Promise<FastifyReply> {
  const { bytes, mediaType, fileName } = file;
  const range = parseRange(request.headers.range, bytes);
  reply.header("accept-ranges", "bytes");
  if (range === null) {
    reply.header("content-range", `bytes */${bytes}`);
    throw rangeNotSatisfiable(bytes);
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  // Open the stream first, so that a read error results in an error response and not a truncated one.
  const memory = { semaphore: request.server.downloadMemory, owner: request.caller.workspaceId };
  const content = await readInPieces(file.read, { start, end }, memory);
  await beforeSending().catch((error) => {
    content.destroy();
    throw error;
  });
  if (range) reply.code(206).header("content-range", `bytes ${start}-${end}/${bytes}`);
  return reply
    .type(mediaType)
    .header("content-length", end - start + 1)
    .header("content-disposition", `inline; filename="${fileName}"`)
    .header("cache-control", "private, no-store")
    .send(content);
}

/** Redirects to a presigned link if the file has one, else streams the bytes. */
export async function sendBytesOrLink(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredBytes,
  beforeSending: () => Promise<void>,
): Promise<FastifyReply> {
  if (!file.link) return sendBytes(request, reply, file, beforeSending);
  await beforeSending();
  return reply.header("cache-control", "no-store").redirect(await file.link(), 302);
}
