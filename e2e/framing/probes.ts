/** Building blocks of a probe. Each request invites a different user, so that its effect can be checked. */
export interface Pieces {
  readonly host: string;
  readonly apiKey: string;
  /** JSON body of the visible request. */
  readonly json: string;
  /** A smuggled request, placed in a body, in a header or after the end. It must not be processed. */
  readonly hidden: string;
}

export interface Probe {
  readonly name: string;
  readonly bytes: (pieces: Pieces) => string;
  /**
   * "refused": one 4xx response (or none) and a closed connection. "one": one response with any status and a closed
   * connection. Otherwise: the statuses of all responses.
   */
  readonly expected: "refused" | "one" | readonly number[];
  /** The result behind nginx, if different. "repaired": nginx forwards a well-formed request. */
  readonly behindNginx?: "repaired" | readonly number[];
  /** Half-closes after the last byte. Otherwise the server would rightly wait for more. */
  readonly halfClose?: boolean;
}

const LAST = "0\r\n\r\n";
const chunk = (data: string) => `${data.length.toString(16)}\r\n${data}\r\n`;

/** An invitation with extra header lines and the given rest. */
const invite =
  (lines: readonly string[], rest: (pieces: Pieces) => string, version = "HTTP/1.1") =>
  (pieces: Pieces) =>
    [
      `POST /users/invite ${version}`,
      `Host: ${pieces.host}`,
      `x-api-key: ${pieces.apiKey}`,
      "Content-Type: application/json",
      ...lines,
      "",
      rest(pieces),
    ].join("\r\n");

const jsonLength = (pieces: Pieces) => `Content-Length: ${pieces.json.length}`;
const plain = (...lines: string[]) => lengthed(lines, (pieces) => pieces.json);
/** An invitation with the right Content-Length, extra header lines and the given rest. */
const lengthed = (lines: readonly string[], rest: (pieces: Pieces) => string) => (pieces: Pieces) =>
  invite([jsonLength(pieces), ...lines], rest)(pieces);
/** A chunked invitation. */
const chunked = (body: (pieces: Pieces) => string) => invite(["Transfer-Encoding: chunked"], body);
/** A Content-Length that parsers may read differently. */
const oddLength = (value: (pieces: Pieces) => string) => (pieces: Pieces) =>
  invite([`Content-Length: ${value(pieces)}`], () => pieces.json + pieces.hidden)(pieces);
/** A Transfer-Encoding that parsers may read differently. */
const oddEncoding = (...lines: string[]) => invite(lines, ({ json, hidden }) => chunk(json) + LAST + hidden);
const get = (line: string, ...lines: string[]) => [line, ...lines, "", ""].join("\r\n");

const lengths: Probe[] = [
  {
    name: "Content-Length, then Transfer-Encoding",
    bytes: (p) => invite([`Content-Length: ${LAST.length}`, "Transfer-Encoding: chunked"], () => LAST + p.hidden)(p),
    expected: "refused",
  },
  {
    name: "Transfer-Encoding, then Content-Length",
    bytes: (p) => {
      const body = LAST + p.hidden;
      return invite(["Transfer-Encoding: chunked", `Content-Length: ${body.length}`], () => body)(p);
    },
    expected: "refused",
  },
  {
    name: "two equal Content-Lengths",
    bytes: (p) => lengthed([jsonLength(p)], () => p.json)(p),
    expected: "refused",
  },
  {
    name: "two different Content-Lengths",
    bytes: (p) => lengthed([`Content-Length: ${p.json.length + p.hidden.length}`], () => p.json + p.hidden)(p),
    expected: "refused",
  },
  {
    name: "a Content-Length list of equal values",
    bytes: oddLength(({ json }) => `${json.length}, ${json.length}`),
    expected: "refused",
  },
  {
    name: "a Content-Length list of different values",
    bytes: oddLength(({ json, hidden }) => `${json.length}, ${json.length + hidden.length}`),
    expected: "refused",
  },
  { name: "a Content-Length with a plus", bytes: oddLength(({ json }) => `+${json.length}`), expected: "refused" },
  { name: "a negative Content-Length", bytes: oddLength(() => "-1"), expected: "refused" },
  {
    name: "a hexadecimal Content-Length",
    bytes: oddLength(({ json }) => `0x${json.length.toString(16)}`),
    expected: "refused",
  },
  {
    name: "a Content-Length with a space inside",
    bytes: oddLength(({ json }) => String(json.length).split("").join(" ")),
    expected: "refused",
  },
  { name: "a Content-Length with a fraction", bytes: oddLength(({ json }) => `${json.length}.0`), expected: "refused" },
  { name: "an empty Content-Length", bytes: oddLength(() => ""), expected: "refused" },
  { name: "a Content-Length beyond 64 bits", bytes: oddLength(() => "18446744073709551617"), expected: "refused" },
  {
    name: "a Content-Length before a space and the colon",
    bytes: (p) => invite([`Content-Length : ${p.json.length}`], () => p.json + p.hidden)(p),
    expected: "refused",
  },
];

const encodings: Probe[] = [
  { name: "Transfer-Encoding: xchunked", bytes: oddEncoding("Transfer-Encoding: xchunked"), expected: "refused" },
  { name: "Transfer-Encoding: identity", bytes: oddEncoding("Transfer-Encoding: identity"), expected: "refused" },
  {
    name: "Transfer-Encoding: chunked, identity",
    bytes: oddEncoding("Transfer-Encoding: chunked, identity"),
    expected: "refused",
  },
  {
    name: "chunked and identity in two lines",
    bytes: oddEncoding("Transfer-Encoding: chunked", "Transfer-Encoding: identity"),
    expected: "refused",
  },
  {
    name: "Transfer-Encoding before a space and the colon",
    bytes: oddEncoding("Transfer-Encoding : chunked"),
    expected: "refused",
  },
  {
    name: "Transfer-Encoding with a vertical tab",
    bytes: oddEncoding("Transfer-Encoding: \x0bchunked"),
    expected: "refused",
  },
  {
    name: "Transfer-Encoding in quotes",
    bytes: oddEncoding('Transfer-Encoding: "chunked"'),
    expected: "refused",
  },
  {
    name: "Transfer-Encoding folded to the next line",
    bytes: oddEncoding("Transfer-Encoding:", " chunked"),
    expected: "refused",
  },
  {
    name: "Transfer-Encoding behind a bare CR of another header",
    bytes: oddEncoding("X-Note: a\rTransfer-Encoding: chunked"),
    expected: "refused",
  },
];

const chunks: Probe[] = [
  {
    name: "a chunk size beyond 64 bits",
    bytes: chunked(({ json, hidden }) => `10000000000000000${json.length.toString(16)}\r\n${json}\r\n${LAST}${hidden}`),
    expected: "refused",
  },
  {
    name: "a chunk size with 0x",
    bytes: chunked(({ json, hidden }) => `0x${chunk(json)}${LAST}${hidden}`),
    expected: "refused",
  },
  {
    name: "a negative chunk size",
    bytes: chunked(({ json, hidden }) => `-${chunk(json)}${LAST}${hidden}`),
    expected: "refused",
  },
  {
    name: "an empty chunk size",
    bytes: chunked(({ json, hidden }) => `\r\n${json}\r\n${LAST}${hidden}`),
    expected: "refused",
  },
  {
    name: "a chunk longer than its size",
    bytes: chunked(({ json, hidden }) => `5\r\n${json}\r\n${LAST}${hidden}`),
    expected: "refused",
  },
  {
    name: "a chunk line that ends with a bare LF",
    bytes: chunked(({ json }) => `${json.length.toString(16)}\n${json}\r\n${LAST}`),
    expected: "refused",
    behindNginx: "repaired",
  },
  {
    name: "a bare LF in a chunk extension",
    bytes: chunked(({ json, hidden }) => `${json.length.toString(16)};a\nb\r\n${json}\r\n${LAST}${hidden}`),
    expected: "refused",
    behindNginx: "repaired",
  },
  {
    name: "a chunk extension of a megabyte",
    bytes: chunked(({ json }) => `${json.length.toString(16)};a=${"b".repeat(1024 * 1024)}\r\n${json}\r\n${LAST}`),
    expected: "refused",
    behindNginx: "repaired",
  },
  {
    name: "a chunked body without its last chunk",
    bytes: chunked(({ json }) => chunk(json)),
    halfClose: true,
    expected: "refused",
  },
  {
    name: "a Content-Length in a trailer",
    bytes: chunked(({ json, hidden }) => `${chunk(json)}0\r\nContent-Length: ${hidden.length}\r\n\r\n`),
    expected: "refused",
    behindNginx: "repaired",
  },
  {
    name: "a rejected body that also ends early",
    bytes: ({ host, apiKey }) =>
      `${get(
        "POST /calls/audio HTTP/1.1",
        `Host: ${host}`,
        `x-api-key: ${apiKey}`,
        "Content-Type: multipart/form-data; boundary=X",
        "Content-Length: 500",
      )}--X--\r\n`,
    halfClose: true,
    expected: "refused",
  },
  {
    name: "a last chunk with a wrong end",
    bytes: chunked(({ json, hidden }) => `${chunk(json)}0\r\nX${hidden}`),
    halfClose: true,
    expected: "refused",
    behindNginx: "repaired",
  },
];

const headers: Probe[] = [
  {
    name: "lines that end with a bare LF",
    bytes: (p) => plain()(p).replaceAll("\r\n", "\n"),
    expected: "refused",
    behindNginx: "repaired",
  },
  { name: "a folded header", bytes: plain("X-Note: a", " b"), expected: "refused" },
  { name: "a space before a colon", bytes: plain("X-Note : a"), expected: "refused" },
  { name: "a NUL in a header", bytes: plain("X-Note: a\0b"), expected: "refused" },
  { name: "a header without a colon", bytes: plain("X-Note"), expected: "refused", behindNginx: "repaired" },
  { name: "a header without a name", bytes: plain(": a"), expected: "refused", behindNginx: "repaired" },
  { name: "a header name in brackets", bytes: plain("(X-Note): a"), expected: "refused", behindNginx: "repaired" },
  {
    name: "no Host",
    bytes: ({ apiKey }) => get("GET /healthz HTTP/1.1", `x-api-key: ${apiKey}`),
    expected: "refused",
  },
  {
    name: "two Hosts",
    bytes: ({ host }) => get("GET /healthz HTTP/1.1", `Host: ${host}`, "Host: elsewhere.example"),
    expected: "refused",
  },
  {
    name: "a header of 100 KB",
    bytes: ({ host }) => get("GET /healthz HTTP/1.1", `Host: ${host}`, `X-Note: ${"a".repeat(100_000)}`),
    expected: "refused",
  },
  {
    name: "20,000 headers",
    bytes: ({ host }) =>
      get("GET /healthz HTTP/1.1", `Host: ${host}`, ...Array.from({ length: 20_000 }, (_, n) => `X-${n}: a`)),
    expected: "refused",
  },
];

const requestLines: Probe[] = [
  { name: "HTTP/0.9", bytes: () => "GET /healthz\r\n", halfClose: true, expected: "refused", behindNginx: "repaired" },
  {
    name: "HTTP/1.2",
    bytes: ({ host }) => get("GET /healthz HTTP/1.2", `Host: ${host}`),
    expected: "refused",
    behindNginx: "repaired",
  },
  {
    name: "HTTP/2.0 in the request line",
    bytes: ({ host }) => get("GET /healthz HTTP/2.0", `Host: ${host}`),
    expected: "refused",
  },
  {
    name: "the preface of HTTP/2",
    bytes: () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    expected: "refused",
  },
  { name: "no version", bytes: ({ host }) => get("GET /healthz HTTP/", `Host: ${host}`), expected: "refused" },
  {
    name: "a NUL in the path",
    bytes: ({ host }) => get("GET /heal\0thz HTTP/1.1", `Host: ${host}`),
    expected: "refused",
  },
  {
    name: "a path of 100 KB",
    bytes: ({ host }) => get(`GET /${"a".repeat(100_000)} HTTP/1.1`, `Host: ${host}`),
    expected: "refused",
  },
  {
    name: "an unknown lower-case method",
    bytes: ({ host }) => get("get /healthz HTTP/1.1", `Host: ${host}`),
    expected: "refused",
  },
  {
    name: "a second word in the path",
    bytes: ({ host }) => get("GET /healthz /readyz HTTP/1.1", `Host: ${host}`),
    expected: "refused",
  },
  {
    name: "CONNECT",
    bytes: ({ hidden }) => get("CONNECT 127.0.0.1:22 HTTP/1.1", "Host: 127.0.0.1:22") + hidden,
    expected: "refused",
  },
  {
    name: "a TLS hello",
    bytes: () => "\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03",
    halfClose: true,
    expected: "refused",
  },
];

/** Well-formed: each request gets exactly one response. */
const legal: Probe[] = [
  { name: "an invitation with its length", bytes: plain(), expected: [201] },
  {
    name: "an invitation in chunks",
    bytes: chunked(({ json }) => chunk(json.slice(0, 9)) + chunk(json.slice(9)) + LAST),
    expected: [201],
  },
  {
    name: "a chunk extension of a few bytes",
    bytes: chunked(({ json }) => `${json.length.toString(16)};a=b\r\n${json}\r\n${LAST}`),
    expected: [201],
  },
  {
    name: "two sequential requests on one connection",
    bytes: ({ host }) => get("GET /healthz HTTP/1.1", `Host: ${host}`).repeat(2),
    expected: [200, 200],
  },
  {
    name: "a request inside a body",
    bytes: (p) => {
      const body = JSON.stringify({ email: "no address", name: p.hidden, role: "agent" });
      return invite([`Content-Length: ${body.length}`], () => body)(p);
    },
    expected: [422],
  },
  {
    name: "a request inside the body of a GET",
    bytes: ({ host, hidden }) =>
      get("GET /healthz HTTP/1.1", `Host: ${host}`, `Content-Length: ${hidden.length}`) + hidden,
    expected: [200],
  },
  {
    name: "a request inside a body that is rejected unread",
    bytes: ({ host, hidden }) =>
      get(
        "POST /calls/audio HTTP/1.1",
        `Host: ${host}`,
        "x-api-key: hb_c0_unknown",
        "Content-Type: multipart/form-data; boundary=X",
        `Content-Length: ${hidden.length}`,
      ) + hidden,
    expected: [401],
  },
  {
    name: "a request sent after a rejected Expect: 100-continue",
    bytes: ({ host, hidden }) =>
      get(
        "POST /calls/audio HTTP/1.1",
        `Host: ${host}`,
        "x-api-key: hb_c0_unknown",
        "Expect: 100-continue",
        "Content-Type: multipart/form-data; boundary=X",
        `Content-Length: ${hidden.length}`,
      ) + hidden,
    expected: [401],
  },
  {
    name: "a request after Connection: close",
    bytes: ({ host, hidden }) => get("GET /healthz HTTP/1.1", `Host: ${host}`, "Connection: close") + hidden,
    expected: "one",
  },
  {
    name: "a key in a trailer",
    bytes: ({ host, apiKey, json }) =>
      [
        "POST /users/invite HTTP/1.1",
        `Host: ${host}`,
        "Content-Type: application/json",
        "Transfer-Encoding: chunked",
        "",
        `${chunk(json)}0`,
        `x-api-key: ${apiKey}`,
        "",
        "",
      ].join("\r\n"),
    expected: [401],
  },
  {
    name: "an Upgrade to h2c",
    bytes: ({ host }) =>
      get(
        "GET /healthz HTTP/1.1",
        `Host: ${host}`,
        "Connection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c",
        "HTTP2-Settings: AAMAAABkAAQAAP__",
      ),
    expected: [200],
  },
  {
    name: "an absolute URL in the request line",
    bytes: ({ host }) => get(`GET http://${host}/healthz HTTP/1.1`, `Host: ${host}`),
    expected: [200],
  },
  {
    name: "an empty line before the request",
    bytes: ({ host }) => `\r\n${get("GET /healthz HTTP/1.1", `Host: ${host}`)}`,
    expected: [200],
  },
];

export const probes: readonly Probe[] = [...lengths, ...encodings, ...chunks, ...headers, ...requestLines, ...legal];
