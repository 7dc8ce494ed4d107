import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeWav } from "../support/recordings/sounds.ts";

/** Values for the placeholders of the corpus. */
export interface CorpusValues {
  readonly host: string;
  readonly apiKey: string;
  readonly campaignId: string;
  readonly agentEmail: string;
}

export interface CorpusRequest {
  readonly name: string;
  /** Description from the file. */
  readonly about: string;
  /** Expected status, "4xx", or "any" below 500. */
  readonly expected: string;
  readonly bytes: (values: CorpusValues) => Buffer;
}

const folder = join(import.meta.dirname, "corpus");
const wav = makeWav({ seconds: 0.01, seed: 7 }).toString("latin1");

/*
 * Parses a corpus file: lines "# about" and "# expect: 400", the header, an empty line, the body. A line break in the file
 * is CR LF on the wire; a backslash at the end of a line removes it. \r \n \t \xNN are escapes. {{wav}}, {{campaign}} and
 * {{agent}} are placeholders, {{1000*ab}} is "ab" 1000 times. Host and x-api-key are added, and Content-Length if neither
 * it nor Transfer-Encoding is present.
 */
function fillIn(text: string, values: CorpusValues): string {
  return text
    .replaceAll("\\\n", "")
    .replaceAll("\n", "\r\n")
    .replaceAll(/\\(?:x([0-9a-f]{2})|([rnt]))/gi, (_, hex?: string, letter?: string) =>
      hex ? String.fromCharCode(Number.parseInt(hex, 16)) : letter === "r" ? "\r" : letter === "n" ? "\n" : "\t",
    )
    .replaceAll(/\{\{(\d+)\*([^}]*)\}\}/g, (_, times: string, piece: string) => piece.repeat(Number(times)))
    .replaceAll("{{campaign}}", values.campaignId)
    .replaceAll("{{agent}}", values.agentEmail)
    .replaceAll("{{wav}}", wav);
}

function read(name: string): CorpusRequest {
  const lines = readFileSync(join(folder, name), "latin1").split("\n");
  const comments = lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith("#")),
    )
    .map((line) => line.slice(1).trim());
  const text = lines.slice(comments.length).join("\n");
  const headerEnd = text.indexOf("\n\n") + 1;
  const expected = comments.find((line) => line.startsWith("expect: "))?.slice("expect: ".length);
  if (!expected) throw new Error(`${name} has no "# expect:" line`);
  return {
    name,
    about: comments.filter((line) => !line.startsWith("expect: ")).join(" "),
    expected,
    bytes(values) {
      const header = fillIn(text.slice(0, headerEnd), values);
      const body = fillIn(text.slice(headerEnd + 1), values);
      const framed = /^(content-length|transfer-encoding):/im.test(header);
      return Buffer.from(
        `POST /calls/audio HTTP/1.1\r\nHost: ${values.host}\r\nx-api-key: ${values.apiKey}\r\n` +
          `${header}${framed ? "" : `Content-Length: ${body.length}\r\n`}\r\n${body}`,
        "latin1",
      );
    },
  };
}

/** Hand-written requests that broke a multipart parser here or elsewhere. */
export const corpus: readonly CorpusRequest[] = readdirSync(folder)
  .filter((name) => name.endsWith(".request"))
  .sort()
  .map(read);
