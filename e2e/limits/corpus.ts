import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { aWav } from "../support/sounds.ts";

/** What a request of the corpus is filled with. */
export interface CorpusValues {
  readonly host: string;
  readonly apiKey: string;
  readonly campaignId: string;
  readonly agentEmail: string;
}

export interface CorpusRequest {
  readonly name: string;
  /** What the file says about itself. */
  readonly about: string;
  /** The status that must come, "4xx" for any refusal, or "any" below 500. */
  readonly expected: string;
  readonly bytes: (values: CorpusValues) => Buffer;
}

const folder = join(import.meta.dirname, "corpus");
const wav = aWav({ seconds: 0.01, seed: 7 }).toString("latin1");

/*
 * A file of the corpus is a request, readable and writable by hand: lines "# about" and "# expect: 400", the header,
 * an empty line, the body. A line end of the file is CR LF on the wire; a backslash at the end of a line takes it away.
 * \r \n \t \xNN are those bytes. {{wav}}, {{campaign}}, {{agent}} are filled in, {{1000*ab}} is "ab" 1000 times.
 * Host and x-api-key are added, and Content-Length where neither it nor Transfer-Encoding is given.
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
  if (!expected) throw new Error(`${name} does not say what it expects`);
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

/** Requests kept by hand because each of them once broke a multipart parser, here or elsewhere. */
export const corpus: readonly CorpusRequest[] = readdirSync(folder)
  .filter((name) => name.endsWith(".request"))
  .sort()
  .map(read);
