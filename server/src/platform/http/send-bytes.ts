import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";
import { readInPieces } from "../storage/read-in-pieces.ts";
import type { StoredBytes } from "../storage/types.ts";
import { parseRange } from "./ranges.ts";

/**
 * Answers with the bytes, or with those of them that a Range header asks for. Holds no more than a chunk. What must be
 * done before the first byte goes out is `beforeSending`: if it fails, none does.
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
    throw new AppError("range_not_satisfiable", `There are ${bytes} bytes, numbered from 0. Ask for some of these.`);
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  // Opened before anything is answered: what cannot be read is then an error and not half an answer.
  const content = await readInPieces(file.read, { start, end });
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

/** Sends whoever asks to where the bytes are, if they have a link; else the bytes. The link is as good as they are. */
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
