import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

const mediaTypes = { csv: "text/csv; charset=utf-8; header=present", jsonl: "application/x-ndjson; charset=utf-8" };

/** The content types of an export, for its documentation. */
export const exportFiles = Object.values(mediaTypes).map((type) => type.split(";", 1)[0] ?? type);

/**
 * Streams a generated file with backpressure. If generating it fails, or the caller's key or session ends, the
 * connection is aborted, so that the client cannot mistake a partial file for a complete one.
 */
export async function sendExport(
  reply: FastifyReply,
  { name, format }: { name: string; format: keyof typeof mediaTypes },
  chunks: AsyncGenerator<string>,
): Promise<FastifyReply> {
  // Generate the first chunk before responding, so that an early failure results in an error response.
  const first = await chunks.next();
  async function* all() {
    if (!first.done && first.value) yield first.value;
    for await (const chunk of chunks) {
      // A search without results writes nothing, so it would not notice that the client has disconnected.
      if (reply.raw.destroyed) return;
      await reply.request.confirmCaller();
      if (chunk) yield chunk;
    }
  }
  const day = new Date().toISOString().slice(0, 10);
  return reply
    .type(mediaTypes[format])
    .header("content-disposition", `attachment; filename="${name}-${day}.${format}"`)
    .header("cache-control", "private, no-store")
    .send(Readable.from(all()));
}
