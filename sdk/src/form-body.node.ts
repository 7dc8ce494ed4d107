import { randomUUID } from "node:crypto";
import { type FormPart, type Recording, RecordingError } from "./form.ts";

const lineEnd = Buffer.from("\r\n");

const bytesOf = (value: string | Recording): number => {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.length;
  return value instanceof Blob ? value.size : value.bytes;
};

function headOf({ name, value }: FormPart, boundary: string): string {
  const file = typeof value === "string" ? "" : '; filename="recording"\r\nContent-Type: application/octet-stream';
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
}

/**
 * Streams the bytes of a part. Throws if the length differs from the declared one, because that would break the form.
 */
async function* contentOf(value: string | Recording): AsyncGenerator<Uint8Array> {
  if (typeof value === "string") yield Buffer.from(value);
  else if (value instanceof Uint8Array) yield value;
  else {
    const expectedBytes = bytesOf(value);
    let readBytes = 0;
    try {
      for await (const chunk of value instanceof Blob ? value.stream() : await value.stream()) {
        readBytes += chunk.length;
        if (readBytes > expectedBytes) break;
        yield chunk;
      }
    } catch (error) {
      throw new RecordingError(`Cannot read the recording: ${messageOf(error)}`, { cause: error });
    }
    if (readBytes === expectedBytes) return;
    const actual = readBytes > expectedBytes ? "more" : `${readBytes}`;
    throw new RecordingError(
      `Expected ${expectedBytes} bytes but read ${actual}. The file may still be open for writing. Try again later.`,
    );
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Encodes a multipart form. */
export function formBody(parts: readonly FormPart[]) {
  const boundary = `hearback-${randomUUID()}`;
  const heads = parts.map((part) => headOf(part, boundary));
  const tail = `--${boundary}--\r\n`;
  const overhead = Buffer.byteLength(heads.join("")) + tail.length + parts.length * lineEnd.length;

  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const [at, { value }] of parts.entries()) {
      yield Buffer.from(heads[at] ?? "");
      yield* contentOf(value);
      yield lineEnd;
    }
    yield Buffer.from(tail);
  }

  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    totalBytes: parts.reduce((sum, { value }) => sum + bytesOf(value), overhead),
    chunks,
    /** The whole body in as few buffers as possible, without copying the recording. */
    async pieces(): Promise<Uint8Array[]> {
      const pieces: Uint8Array[] = [];
      let text = "";
      for (const [at, { value }] of parts.entries()) {
        text += heads[at];
        if (typeof value === "string") text += value;
        else {
          pieces.push(Buffer.from(text));
          if (value instanceof Uint8Array) pieces.push(value);
          else for await (const chunk of contentOf(value)) pieces.push(chunk);
          text = "";
        }
        text += "\r\n";
      }
      pieces.push(Buffer.from(text + tail));
      return pieces;
    },
  };
}
export type FormBody = ReturnType<typeof formBody>;
