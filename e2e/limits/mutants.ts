import { multipart } from "../support/http/http.ts";
import { callParts, type Service } from "../support/http/service.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { random } from "../support/run-scale.ts";

/** A mutated request for fuzzing. */
export interface Mutant {
  readonly head: string;
  readonly body: Buffer;
  /** The body, split into writes. */
  readonly writes: readonly Buffer[];
  /** Whether the client half-closes because it announced more than it sends. */
  readonly short: boolean;
  /** The mutations applied. */
  readonly story: string;
}

type Chance = () => number;
interface Draft {
  body: Buffer;
  boundary: string;
  contentType: string;
}
type Mutation = (draft: Draft, chance: Chance, other: Buffer) => void;

const below = (chance: Chance, limit: number) => Math.floor(chance() * limit);
const pick = <T>(chance: Chance, from: readonly T[]): T => from[below(chance, from.length)] as T;
const cutAt = (chance: Chance, bytes: Buffer) => below(chance, bytes.length + 1);

function range(chance: Chance, bytes: Buffer, most = 400): [number, number] {
  const from = cutAt(chance, bytes);
  return [from, Math.min(bytes.length, from + below(chance, most))];
}

function insert(draft: Draft, at: number, piece: Uint8Array | string, skip = 0): void {
  const bytes = typeof piece === "string" ? Buffer.from(piece, "latin1") : piece;
  draft.body = Buffer.concat([draft.body.subarray(0, at), bytes, draft.body.subarray(at + skip)]);
}

/** Replaces one occurrence of `what`. */
function replaceOne(draft: Draft, chance: Chance, what: string, by: string): void {
  const places: number[] = [];
  for (let at = draft.body.indexOf(what); at >= 0; at = draft.body.indexOf(what, at + 1)) places.push(at);
  if (places.length > 0) insert(draft, pick(chance, places), by, what.length);
}

const headerTricks = [
  'Content-Disposition: form-data; name="file"; filename="b.wav"',
  "Content-Disposition: form-data",
  "Content-Disposition: form-data; name=file",
  'Content-Disposition: form-data; name="unclosed',
  "Content-Disposition: form-data; name*=utf-8''agent%5Femail",
  'Content-Disposition: form-data; name="a"; name="b"',
  'Content-Disposition: attachment; name="file"; filename=""',
  "Content-Disposition:",
  ": no name",
  "no colon",
  " folded",
  "Content-Type: multipart/mixed; boundary=inner",
  "Content-Type: text/plain; charset=utf-16",
  "Content-Transfer-Encoding: base64",
  "Content-Length: 5",
  "X-\0: \0",
  `X-Long: ${"a".repeat(20_000)}`,
  "X: y\r\n".repeat(3_000).slice(0, -2),
];

const contentTypes = [
  "multipart/form-data",
  "multipart/form-data; boundary=",
  'multipart/form-data; boundary="',
  "multipart/mixed; boundary=B",
  "application/json",
  "text/plain",
  "multipart/form-data; boundary=a; boundary=b",
  `multipart/form-data; boundary=${"b".repeat(500)}`,
  "multipart/form-data, multipart/form-data; boundary=B",
];

/** The mutations of a body. Each can be applied to an already mutated body. */
const mutations: Record<string, Mutation> = {
  flip(draft, chance) {
    draft.body = Buffer.from(draft.body);
    for (let n = below(chance, 8); n >= 0 && draft.body.length > 0; n--) {
      draft.body[below(chance, draft.body.length)] = below(chance, 256);
    }
  },
  delete(draft, chance) {
    const [from, to] = range(chance, draft.body);
    insert(draft, from, "", to - from);
  },
  duplicate(draft, chance) {
    const [from, to] = range(chance, draft.body);
    insert(draft, to, draft.body.subarray(from, to));
  },
  splice(draft, chance, other) {
    const [from, to] = range(chance, other);
    insert(draft, cutAt(chance, draft.body), other.subarray(from, to));
  },
  truncate(draft, chance) {
    draft.body = draft.body.subarray(0, cutAt(chance, draft.body));
  },
  "line end": (draft, chance) =>
    replaceOne(draft, chance, "\r\n", pick(chance, ["", "\n", "\r", "\n\r", "\r\n\r\n", "\r\r\n"])),
  boundary(draft, chance) {
    const { boundary } = draft;
    const by = [
      `--${boundary}--`,
      `-${boundary}`,
      `--${boundary} \t`,
      `--${boundary.slice(1)}`,
      `--${boundary}x`,
      `--${boundary.toUpperCase()}`,
    ];
    replaceOne(draft, chance, `--${boundary}`, pick(chance, by));
  },
  "content type"(draft, chance) {
    draft.contentType = pick(chance, [...contentTypes, draft.contentType.replace("boundary=", "BOUNDARY = ")]);
  },
  header: (draft, chance) =>
    replaceOne(draft, chance, "Content-Disposition", `${pick(chance, headerTricks)}\r\nContent-Disposition`),
  "header instead": (draft, chance) =>
    replaceOne(draft, chance, "Content-Disposition: form-data", pick(chance, headerTricks)),
  nul: (draft, chance) => insert(draft, cutAt(chance, draft.body), "\0".repeat(1 + below(chance, 5))),
  nested(draft, chance) {
    const { boundary } = draft;
    const inner = `--${boundary}\r\nContent-Type: multipart/mixed; boundary=${pick(chance, ["inner", boundary])}\r\n\r\n--inner\r\n\r\nx\r\n--inner--\r\n`;
    replaceOne(draft, chance, `--${boundary}\r\n`, `${inner}--${boundary}\r\n`);
  },
  "many parts"(draft, chance) {
    const part = `--${draft.boundary}\r\nContent-Disposition: form-data; name="p"\r\n\r\n\r\n`;
    replaceOne(draft, chance, `--${draft.boundary}\r\n`, `${part.repeat(below(chance, 500))}--${draft.boundary}\r\n`);
  },
  "around it"(draft, chance) {
    const text = pick(chance, ["\r\n", "preamble", "\r\n\r\n\r\n", "--", "x".repeat(5_000)]);
    insert(draft, chance() < 0.5 ? 0 : draft.body.length, text);
  },
  garbage(draft, chance) {
    draft.body = Buffer.from(Array.from({ length: below(chance, 600) }, () => below(chance, 256)));
  },
  nothing() {},
};

/** Splits bytes at random positions. */
function cut(chance: Chance, bytes: Buffer): Buffer[] {
  const kind = chance();
  if (kind < 0.5 || bytes.length < 2) return [bytes];
  // One write per byte is slow: only for short bodies.
  const pieces = kind < 0.53 && bytes.length < 1_500 ? bytes.length : 2 + below(chance, 6);
  const places = Array.from({ length: pieces - 1 }, (_, n) =>
    pieces === bytes.length ? n + 1 : below(chance, bytes.length),
  );
  const edges = [0, ...places.sort((a, b) => a - b), bytes.length];
  return edges
    .slice(1)
    .map((edge, n) => bytes.subarray(edges[n], edge))
    .filter(({ length }) => length > 0);
}

function inChunks(chance: Chance, body: Buffer): Buffer {
  const most = pick(chance, [1, 7, 300, 100_000]);
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + 1 + below(chance, most));
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
    at += piece.length;
  }
  return Buffer.concat([...pieces, Buffer.from("0\r\n\r\n")]);
}

function makeForm(service: Service, chance: Chance) {
  const parts = callParts(service, {
    file: makeWav({ seconds: 0.01 + chance() * 0.1, seed: below(chance, 1_000) }),
    conversation_timestamp: String(1_600_000_000 + below(chance, 1_000)),
  });
  const order = parts.map((part) => ({ part, at: chance() })).sort((a, b) => a.at - b.at);
  return multipart(
    order.map(({ part }) => part),
    "----mutant7MA4YWxkTrZu0gW",
  );
}

/** The n-th mutant of a seed. Deterministic. */
export function makeMutant(service: Service, seed: number, n: number): Mutant {
  const chance = random(seed + n);
  const { contentType, body } = makeForm(service, chance);
  const draft: Draft = { body, boundary: contentType.slice(contentType.indexOf("=") + 1), contentType };
  const other = makeForm(service, chance).body;
  const names = Array.from({ length: 1 + below(chance, 3) }, () => pick(chance, Object.keys(mutations)));
  for (const name of names) mutations[name]?.(draft, chance, other);

  const framing = pick(chance, ["length", "length", "chunked", "chunked", "short"]);
  const sent = framing === "chunked" ? inChunks(chance, draft.body) : draft.body;
  const announced = sent.length + (framing === "short" ? 1 + below(chance, 500) : 0);
  return {
    head: [
      "POST /calls/audio HTTP/1.1",
      "Host: 127.0.0.1",
      `x-api-key: ${service.apiKey}`,
      `Content-Type: ${draft.contentType}`,
      framing === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${announced}`,
      "",
      "",
    ].join("\r\n"),
    body: sent,
    writes: cut(chance, sent),
    short: framing === "short",
    story: `${names.join(", ")}; ${framing}`,
  };
}
