import type { IncomingMessage } from "node:http";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Issue } from "@hearback/contract";
import { type MultipartError, make, type PartInfo } from "multipasta";
import {
  AppError,
  bodyIncomplete,
  bodyMalformed,
  bodyTooSlow,
  contentTypeWrong,
  partNotFile,
  partNotText,
  partRepeated,
} from "../../errors.ts";
import { freeBuffers } from "../../memory/free-buffers.ts";
import { parseDisposition } from "../body/content-disposition.ts";
import { boundarySafeChunks } from "./boundary-safe-chunks.ts";
import { type BodyPace, guardSlowBody } from "./slow-body-guard.ts";

/** Consumes a chunk of a file. If it returns a promise, reading pauses until it resolves. */
export type WriteFile = (chunk: Uint8Array) => Promise<void> | undefined;

export interface FormShape {
  /** Text parts and their maximum size in bytes. */
  readonly texts: Readonly<Record<string, number>>;
  readonly file: string;
  readonly pace: BodyPace;
  /** Maximum size of the whole body, and the error if it is exceeded. */
  readonly maxBytes: number;
  readonly tooLarge: () => AppError;
  /**
   * Called when the file part starts, with the text parts received so far. Throws, or calls `refuse` later, to reject
   * the file.
   */
  readonly openFile: (soFar: Form, refuse: (error: unknown) => void) => WriteFile;
}

export interface Form {
  readonly texts: Record<string, string>;
  /** Whether the file part was received. */
  hasFile: boolean;
  /** Text parts that are too long or not UTF-8. */
  readonly wrong: Issue[];
  /** Names of unknown parts. */
  readonly unknown: string[];
}

const maxParts = 1000;
/** Yield to the event loop after reading this much of a body, so that a fast client does not delay other requests. */
const yieldAfterBytes = 128 * 1024;
const maxUnknownParts = 20;

const reasons: Record<MultipartError["_tag"], string> = {
  InvalidBoundary: "The Content-Type header has no boundary",
  BadHeaders: "A part has malformed headers",
  InvalidDisposition: "A part has no name",
  ReachedLimit: `The form has more than ${maxParts} parts`,
  EndNotReached: "The form ends before its closing boundary",
};

/**
 * Printable ASCII except `"` and `\`. RFC 2046 allows fewer characters, but clients use others, and the parser accepts
 * them.
 */
const boundaryCharacters = /^[ !#-[\]-~]+$/;

/** Returns the boundary of a multipart/form-data content type; throws if there is none. */
function boundaryOf(contentType: string | undefined): string {
  if (!/^multipart\/form-data(\s*;|\s*$)/i.test(contentType ?? "")) {
    throw contentTypeWrong.withDetail("Send Content-Type: multipart/form-data with a boundary, as `curl -F` does.");
  }
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType ?? "") ?? [];
  const boundary = quoted ?? bare ?? "";
  if (boundary === "") throw bodyMalformed(reasons.InvalidBoundary);
  if (boundary.length > 70) throw bodyMalformed("The boundary is longer than 70 characters");
  if (!boundaryCharacters.test(boundary)) {
    throw bodyMalformed("The boundary contains a character other than letters, digits, spaces and '()+_,-./:=?");
  }
  return boundary;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Collects a text part, up to its limit, and decodes it. */
function collectText(form: Form, part: string, maxBytes: number) {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return (chunk: Uint8Array | null): undefined => {
    if (chunk) {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      return;
    }
    const wrong = (code: string, detail: string) => form.wrong.push({ part, code, detail: `${part} ${detail}.` });
    form.texts[part] = "";
    if (bytes > maxBytes) wrong("too_long", `must have at most ${maxBytes} bytes; got ${bytes}`);
    else {
      try {
        form.texts[part] = utf8.decode(Buffer.concat(chunks));
      } catch {
        wrong("not_utf8", "must be text in UTF-8");
      }
    }
  };
}

/** Parses a multipart form while it arrives. After a failure, the rest of the body is not read. */
export function readForm(request: IncomingMessage, shape: FormShape): Promise<Form> {
  const boundary = boundaryOf(request.headers["content-type"]);
  const form: Form = { texts: {}, hasFile: false, wrong: [], unknown: [] };
  const seen = new Set<string>();

  return new Promise((resolve, reject) => {
    let settled = false;
    let bytes = 0;
    let bytesSinceYield = 0;
    let closingBoundarySeen = false;
    let bodyEnded = false;
    let pending = 0;

    function settle(outcome: () => void): void {
      if (settled) return;
      settled = true;
      watched.stop();
      request.off("data", onData).off("end", onEnd).off("error", onClose).off("close", onClose);
      outcome();
    }
    const fail = (error: unknown) => settle(() => reject(error));
    const watched = guardSlowBody(request, shape.pace, () => fail(bodyTooSlow(shape.pace.minBytesPerSecond)));

    /** Pauses reading until the file's consumer is ready. */
    function waitFor(work: Promise<void> | undefined): undefined {
      if (!work) return;
      watched.excuse(work);
      hold(work);
    }

    /** Pauses reading until `work` is done. */
    function hold(work: Promise<void>): void {
      pending += 1;
      request.pause();
      work.then(() => {
        pending -= 1;
        if (pending > 0 || settled) return;
        if (bodyEnded) settle(() => resolve(form));
        else request.resume();
      }, fail);
    }

    function openPart(info: PartInfo): (chunk: Uint8Array | null) => undefined {
      // Parsed here, because the parser fails on filenames with characters outside Latin-1.
      const { name, isFile } = parseDisposition(info.headers["content-disposition"]) ?? {};
      if (name === undefined) throw bodyMalformed(reasons.InvalidDisposition);
      const maxBytes = Object.hasOwn(shape.texts, name) ? shape.texts[name] : undefined;
      if (name !== shape.file && maxBytes === undefined) {
        if (form.unknown.length < maxUnknownParts) form.unknown.push(name.slice(0, 100));
        return () => undefined;
      }
      if (seen.has(name)) throw partRepeated(name);
      seen.add(name);
      if (name === shape.file) {
        if (!isFile) throw partNotFile(name);
        form.hasFile = true;
        const write = shape.openFile(form, fail);
        return (chunk) => (chunk ? waitFor(write(chunk)) : undefined);
      }
      if (isFile) throw partNotText(name);
      return collectText(form, name, maxBytes ?? 0);
    }

    const parser = make({
      headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
      isFile: () => true,
      onField: () => {},
      onFile(info) {
        // Ignore everything after the closing boundary.
        if (closingBoundarySeen) return () => {};
        const take = openPart(info);
        return (chunk) => {
          if (!settled) take(chunk);
        };
      },
      onError: (error) => fail(bodyMalformed(reasons[error._tag])),
      onDone() {
        closingBoundarySeen = true;
      },
      maxParts,
    });
    const chunks = boundarySafeChunks(boundary, (chunk) => {
      if (!settled && !closingBoundarySeen) parser.write(chunk);
    });

    /** The parser rethrows errors of part handlers, and throws its own for some malformed headers. */
    function guarded(step: () => void): void {
      try {
        step();
      } catch (error) {
        fail(error instanceof AppError ? error : bodyMalformed(reasons.BadHeaders));
      }
    }

    // Function declarations, because they are hoisted: settle() removes these listeners and can run before this line.
    function onData(chunk: Buffer): void {
      guarded(() => {
        bytes += chunk.length;
        freeBuffers(chunk.length);
        if (bytes > shape.maxBytes) throw shape.tooLarge();
        chunks.write(chunk);
        bytesSinceYield += chunk.length;
        if (bytesSinceYield < yieldAfterBytes) return;
        bytesSinceYield = 0;
        hold(yieldToEventLoop());
      });
    }
    function onEnd(): void {
      guarded(() => {
        bodyEnded = true;
        chunks.end();
        if (!closingBoundarySeen) throw bodyMalformed(reasons.EndNotReached);
        if (pending === 0) settle(() => resolve(form));
      });
    }
    function onClose(): void {
      if (!bodyEnded) fail(bodyIncomplete());
    }

    if (settled) return;
    // The "data" listener starts the flow, so it is added last: a short body could otherwise end before the others are
    // added.
    request.on("end", onEnd).on("error", onClose).on("close", onClose).on("data", onData);
  });
}
