import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

const mediaTypes = { csv: "text/csv; charset=utf-8; header=present", jsonl: "application/x-ndjson; charset=utf-8" };
/** A client that takes nothing for so long is gone. */
const idleMs = 120_000;

/**
 * Answers with a file that is made while it is sent, as fast as the client takes it. If making it fails, or the caller's
 * key or session ends meanwhile, the connection is cut, so that nobody takes a part of it for the whole.
 */
export async function sendExport(
  reply: FastifyReply,
  { name, format }: { name: string; format: keyof typeof mediaTypes },
  chunks: AsyncGenerator<string>,
): Promise<FastifyReply> {
  // Made before anything is answered: what fails at once is then an error and not half an answer.
  const first = await chunks.next();
  async function* all() {
    if (!first.done && first.value) yield first.value;
    for await (const chunk of chunks) {
      // Looking through much without finding anything, it would else not notice.
      if (reply.raw.destroyed) return;
      await reply.request.confirmCaller();
      if (chunk) yield chunk;
    }
  }
  reply.raw.setTimeout(idleMs, () => reply.raw.destroy());
  const day = new Date().toISOString().slice(0, 10);
  return reply
    .type(mediaTypes[format])
    .header("content-disposition", `attachment; filename="${name}-${day}.${format}"`)
    .header("cache-control", "private, no-store")
    .send(Readable.from(all()));
}
