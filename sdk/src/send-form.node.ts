import { randomUUID } from "node:crypto";
import { request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FormPart, FormRequest, RawAnswer, Recording } from "./form.ts";

/** How long nothing may move in either direction. */
const silenceMs = 60_000;

const bytesOf = (value: string | Recording): number => {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.length;
  return value instanceof Blob ? value.size : value.bytes;
};

async function* contentOf(value: string | Recording): AsyncGenerator<Uint8Array> {
  if (typeof value === "string") yield Buffer.from(value);
  else if (value instanceof Uint8Array) yield value;
  else yield* value instanceof Blob ? value.stream() : await value.stream();
}

function headOf({ name, value }: FormPart, boundary: string): Buffer {
  const file = typeof value === "string" ? "" : '; filename="recording"\r\nContent-Type: application/octet-stream';
  return Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`);
}

/**
 * Sends a form whose body is produced while it is sent: fetch would keep all of it in memory. The key is shown first
 * (Expect: 100-continue), so that a refused recording is not uploaded; and an answer that comes before the body is sent
 * is the answer.
 */
export async function sendForm({ url, headers, parts, signal, onProgress }: FormRequest): Promise<RawAnswer> {
  const boundary = `hearback-${randomUUID()}`;
  const heads = parts.map((part) => headOf(part, boundary));
  const tail = Buffer.from(`--${boundary}--\r\n`);
  const sizes = parts.map(({ value }) => bytesOf(value));
  const totalBytes = parts.reduce((sum, _, at) => sum + (heads[at]?.length ?? 0) + (sizes[at] ?? 0) + 2, tail.length);

  async function* body() {
    let sentBytes = 0;
    const told = <Chunk extends Uint8Array>(chunk: Chunk): Chunk => {
      sentBytes += chunk.length;
      onProgress?.({ sentBytes, totalBytes });
      return chunk;
    };
    for (const [at, { value }] of parts.entries()) {
      yield told(heads[at] ?? Buffer.alloc(0));
      for await (const chunk of contentOf(value)) yield told(chunk);
      yield told(Buffer.from("\r\n"));
    }
    yield told(tail);
  }

  const overNet = url.startsWith("https:") ? overHttps : overHttp;
  const request = overNet(url, {
    method: "POST",
    signal,
    timeout: silenceMs,
    headers: {
      ...headers,
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": totalBytes,
      expect: "100-continue",
    },
  });
  request.once("timeout", () => request.destroy(new Error(`nothing moved for ${silenceMs / 1000} s`)));

  const answered = new Promise<RawAnswer>((resolve, reject) => {
    request.once("error", reject);
    request.once("response", (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.once("error", reject);
      answer.once("end", () => {
        const text = Buffer.concat(chunks).toString();
        const header = (name: string) => [answer.headers[name]].flat()[0];
        resolve({ status: answer.statusCode ?? 0, header, text });
      });
    });
  });
  const goAhead = new Promise<boolean>((resolve) => {
    request.once("continue", () => resolve(true));
    answered.then(
      () => resolve(false),
      () => resolve(false),
    );
  });
  request.flushHeaders();
  if (await goAhead) {
    // What stops the sending is either the answer, which counts, or what `answered` fails with.
    const sent = pipeline(Readable.from(body(), { objectMode: false }), request);
    const answer = await Promise.race([answered, sent.then(() => answered)]).finally(() => sent.catch(() => {}));
    return answer;
  }
  return answered.finally(() => request.destroy());
}
