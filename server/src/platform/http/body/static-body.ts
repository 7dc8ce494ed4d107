import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { openYieldQueue } from "../../async/yield-queue.ts";

type Encoding = "br" | "gzip";

/** A body that is the same for all clients. All responses share its buffers, so slow clients use no extra memory. */
export interface StaticBody {
  readonly type: string;
  readonly body: Buffer;
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
  readonly etag: string;
}

const sliceBytes = 64 * 1024;

/** Cache-Control for URLs whose content never changes. */
export const immutable = "public, max-age=31536000, immutable";
/** Cache-Control for URLs whose content changes with a release: cached, but revalidated by ETag. */
export const revalidate = "public, no-cache";

export const etagOf = (body: Uint8Array) => createHash("sha256").update(body).digest("base64url").slice(0, 22);

/** Compresses a body in libuv's thread pool. */
export async function makeStaticBody(type: string, content: string | Uint8Array): Promise<StaticBody> {
  const body = Buffer.from(content);
  const [br, gz] = await Promise.all([
    // Quality 11, the highest, takes 20 times as long and saves only a few percent.
    promisify(brotliCompress)(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(body, { level: 9 }),
  ]);
  return { type, body, etag: etagOf(body), encoded: { br, gzip: gz } };
}

/** Sends the body in an encoding that the client accepts, or 304 if the client has it cached. */
export function sendStatic(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: StaticBody,
  cacheControl: string,
): FastifyReply {
  const encoding = chooseEncoding(file, headers["accept-encoding"]);
  const etag = `"${file.etag}${encoding ? `-${encoding}` : ""}"`;
  reply.header("cache-control", cacheControl).header("vary", "accept-encoding").header("etag", etag);
  const cachedTags = (headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (cachedTags.includes(etag)) return reply.code(304).send();
  if (encoding) reply.header("content-encoding", encoding);
  const body = (encoding && file.encoded[encoding]) ?? file.body;
  reply.type(file.type);
  if (body.length <= sliceBytes) return reply.send(body);
  return reply.header("content-length", body.length).send(Readable.from(slicesOf(body), { objectMode: false }));
}

const yieldToOthers = openYieldQueue();

/** Slices of the shared buffer. Copying megabytes to the kernel for many clients at once would delay other requests. */
async function* slicesOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += sliceBytes) {
    await yieldToOthers();
    yield body.subarray(at, at + sliceBytes);
  }
}

/** Chooses an encoding from the Accept-Encoding header; prefers the smallest. */
function chooseEncoding({ encoded }: StaticBody, accepted: string | undefined): Encoding | undefined {
  const wanted = new Set(
    (accepted ?? "")
      .toLowerCase()
      .split(",")
      .map((entry) => entry.trim().split(/\s*;\s*/))
      .filter(([, quality = "q=1"]) => !/^q=0(\.0*)?$/.test(quality))
      .map(([name]) => name),
  );
  return (["br", "gzip"] as const).find((encoding) => wanted.has(encoding) && encoded[encoding]);
}
