import type { IncomingMessage } from "node:http";
import { setImmediate as othersTurn } from "node:timers/promises";
import type { Issue } from "@hearback/contract";
import { type MultipartError, make, type PartInfo } from "multipasta";
import { AppError, bodyIncomplete } from "../errors.ts";
import { freeBuffers } from "../free-buffers.ts";
import { parseDisposition } from "./content-disposition.ts";
import { steadyChunks } from "./steady-chunks.ts";
import { type BodyPace, watchBody } from "./watch-body.ts";

/** Takes a chunk of a file. A promise means: read no more until it resolves. */
export type WriteFile = (chunk: Uint8Array) => Promise<void> | undefined;

export interface FormShape {
  /** The text parts and the most bytes each may have. */
  readonly texts: Readonly<Record<string, number>>;
  readonly file: string;
  readonly pace: BodyPace;
  /** The most bytes that the whole body may have, and what to say when more come. */
  readonly maxBytes: number;
  readonly tooLarge: () => AppError;
  /** The file begins. Gets the text parts that came before it; throws, or rejects later, to refuse it unread. */
  readonly openFile: (soFar: Form, refuse: (error: unknown) => void) => WriteFile;
}

export interface Form {
  readonly texts: Record<string, string>;
  /** Whether the file came. */
  hasFile: boolean;
  /** Text parts that are too long or no text. */
  readonly wrong: Issue[];
  /** Parts nobody asked for. */
  readonly unknown: string[];
}

const maxParts = 1000;
/** How much of one body is read before everybody else has a turn: a fast client must not keep the others' answers. */
const bytesPerTurn = 128 * 1024;
const maxUnknownNamed = 20;

const why: Record<MultipartError["_tag"], string> = {
  InvalidBoundary: "The header Content-Type has no boundary",
  BadHeaders: "A part has malformed headers",
  InvalidDisposition: "A part has no name",
  ReachedLimit: `The form has more than ${maxParts} parts`,
  EndNotReached: "The form ends before its last boundary",
};

const malformed = (reason: string) =>
  new AppError("body_malformed", `${reason}. Send multipart/form-data as curl -F does.`);

const aboutPart = (code: "part_repeated" | "part_not_text" | "part_not_file", part: string, detail: string) =>
  new AppError(code, detail, { issues: [{ part, code: code.slice("part_".length), detail }] });

/** The boundary of a multipart/form-data content type, or a refusal. */
function boundaryOf(contentType: string | undefined): string {
  if (!/^multipart\/form-data(\s*;|\s*$)/i.test(contentType ?? "")) {
    throw new AppError(
      "content_type_wrong",
      "Send the header Content-Type: multipart/form-data with a boundary, as curl -F does.",
    );
  }
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType ?? "") ?? [];
  const boundary = quoted ?? bare ?? "";
  if (boundary === "") throw malformed(why.InvalidBoundary);
  if (boundary.length > 70) throw malformed("The boundary is longer than 70 characters");
  return boundary;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Collects a text part, up to its limit, and hands it over as text. */
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
    if (bytes > maxBytes) wrong("too_long", `must have at most ${maxBytes} bytes; ${bytes} came`);
    else {
      try {
        form.texts[part] = utf8.decode(Buffer.concat(chunks));
      } catch {
        wrong("not_utf8", "must be text in UTF-8");
      }
    }
  };
}

/** Takes a multipart form apart while it arrives. Every failure leaves the rest of the body unread. */
export function readForm(request: IncomingMessage, shape: FormShape): Promise<Form> {
  const boundary = boundaryOf(request.headers["content-type"]);
  const form: Form = { texts: {}, hasFile: false, wrong: [], unknown: [] };
  const seen = new Set<string>();

  return new Promise((resolve, reject) => {
    let settled = false;
    let bytes = 0;
    let turnBytes = 0;
    let lastBoundaryCame = false;
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
    const watched = watchBody(request, shape.pace, () =>
      fail(
        new AppError("body_too_slow", `Less than ${shape.pace.minBytesPerSecond} bytes a second came. Send it again.`),
      ),
    );

    /** Reads no more until the file's consumer is ready. */
    function waitFor(work: Promise<void> | undefined): undefined {
      if (!work) return;
      watched.excuse(work);
      hold(work);
    }

    /** Holds the reading back until then. */
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
      // Read here: the parser itself gives up on a filename with letters beyond Latin-1.
      const { name, isFile } = parseDisposition(info.headers["content-disposition"]) ?? {};
      if (name === undefined) throw malformed(why.InvalidDisposition);
      const maxBytes = Object.hasOwn(shape.texts, name) ? shape.texts[name] : undefined;
      if (name !== shape.file && maxBytes === undefined) {
        if (form.unknown.length < maxUnknownNamed) form.unknown.push(name.slice(0, 100));
        return () => undefined;
      }
      if (seen.has(name)) throw aboutPart("part_repeated", name, `The part "${name}" was sent twice. Send it once.`);
      seen.add(name);
      if (name === shape.file) {
        if (!isFile) {
          const detail = `The part "${name}" was sent as text. Send it as a file, with a filename: curl -F ${name}=@call.wav`;
          throw aboutPart("part_not_file", name, detail);
        }
        form.hasFile = true;
        const write = shape.openFile(form, fail);
        return (chunk) => (chunk ? waitFor(write(chunk)) : undefined);
      }
      if (isFile) {
        throw aboutPart(
          "part_not_text",
          name,
          `The part "${name}" was sent as a file. Send it as text, without a filename.`,
        );
      }
      return collectText(form, name, maxBytes ?? 0);
    }

    const parser = make({
      headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
      isFile: () => true,
      onField: () => {},
      onFile(info) {
        // What follows the last boundary is no part, whatever it looks like.
        if (lastBoundaryCame) return () => {};
        const take = openPart(info);
        return (chunk) => {
          if (!settled) take(chunk);
        };
      },
      onError: (error) => fail(malformed(why[error._tag])),
      onDone() {
        lastBoundaryCame = true;
      },
      maxParts,
    });
    const chunks = steadyChunks(boundary, (chunk) => {
      if (!settled && !lastBoundaryCame) parser.write(chunk);
    });

    /** The parser throws what a part's handler throws, and for some broken headers an error of its own. */
    function guarded(step: () => void): void {
      try {
        step();
      } catch (error) {
        fail(error instanceof AppError ? error : malformed(why.BadHeaders));
      }
    }

    const onData = (chunk: Buffer) =>
      guarded(() => {
        bytes += chunk.length;
        freeBuffers(chunk.length);
        if (bytes > shape.maxBytes) throw shape.tooLarge();
        chunks.write(chunk);
        turnBytes += chunk.length;
        if (turnBytes < bytesPerTurn) return;
        turnBytes = 0;
        hold(othersTurn());
      });
    const onEnd = () =>
      guarded(() => {
        bodyEnded = true;
        chunks.end();
        if (!lastBoundaryCame) throw malformed(why.EndNotReached);
        if (pending === 0) settle(() => resolve(form));
      });
    const onClose = () => {
      if (!bodyEnded) fail(bodyIncomplete());
    };

    // The listener that starts the flow comes last: a body in one piece would else be over before the others are there.
    request.on("end", onEnd).on("error", onClose).on("close", onClose).on("data", onData);
  });
}
