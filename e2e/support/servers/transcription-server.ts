import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { freePort } from "../stack/free-port.ts";

/** How servers of this kind differ in their answers to the same request. */
export const answerShapes = ["openai", "whisper.cpp", "localai", "vllm", "groq"] as const;
export type AnswerShape = (typeof answerShapes)[number];

/** What goes wrong. */
export type Fault =
  /** An error as plain text. */
  | { readonly kind: "status"; readonly status: number; readonly text?: string }
  /** Does not answer until the client gives up. */
  | { readonly kind: "stall" }
  /** Closes the connection without an answer. */
  | { readonly kind: "hang up" }
  /** Announces more bytes than it sends. */
  | { readonly kind: "cut off" }
  /** A complete answer with half of the JSON. */
  | { readonly kind: "half JSON" }
  /** JSON of another kind: an error with status 200, as proxies send it. */
  | { readonly kind: "other JSON" }
  /** A page of a proxy, with status 200. */
  | { readonly kind: "HTML" }
  /** Text that nobody said: what Whisper writes for silence, and a sentence that repeats itself. */
  | { readonly kind: "invented" };

/** A request as the server saw it. */
export interface SentSound {
  readonly at: number;
  /** Of the file. The same sound always has the same one. */
  readonly sha256: string;
  readonly durationMs: number;
  readonly bytes: number;
  readonly language: string;
  readonly model: string;
  readonly responseFormat: string;
  readonly granularities: readonly string[];
  readonly authorization: string | undefined;
  /** Status of the response; 0: none. */
  readonly status: number;
}

export interface TranscriptionServer {
  /** For TRANSCRIBER_URL. */
  readonly url: string;
  readonly sent: readonly SentSound[];
  /** Most requests that were under way at the same time. */
  mostAtOnce(): number;
  /** Requests that wait for an answer. */
  waiting(): number;
  /** From now on. */
  setShape(shape: AnswerShape): void;
  /** From now on; the function says what goes wrong with the nth request from now on. Undefined: nothing. */
  setFault(fault: Fault | ((nth: number) => Fault | undefined) | undefined): void;
  /** Answers take this long from now on. */
  setDelay(ms: number): void;
  /** Refuses connections, like a host that is away. */
  shut(): Promise<void>;
  /** Accepts them again, at the same address. */
  open(): Promise<void>;
}

/** The words of a sound. */
export type Hear = (sound: { readonly sha256: string; readonly durationMs: number }) => readonly string[];

/** A word for each sound, so that a transcript shows which sounds it is of, and how often. */
export const markOf = (sha256: string) =>
  `mark${sha256.slice(0, 10).replaceAll(/\d/g, (digit) => "ghijklmnop"[Number(digit)] ?? "")}`;

const hearMarks: Hear = ({ sha256 }) => [markOf(sha256), "and", "so", "on"];

/** A stand-in for a transcription server in OpenAI's format, which answers wrongly on purpose. It recognises nothing. */
export async function openTranscriptionServer(hear: Hear = hearMarks): Promise<TranscriptionServer> {
  const port = await freePort();
  const sent: SentSound[] = [];
  let shape: AnswerShape = "openai";
  let faultOf: (nth: number) => Fault | undefined = () => undefined;
  let asked = 0;
  let delayMs = 0;
  let [now, most] = [0, 0];

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<number> {
    const sound = await readRequest(request);
    const record = (status: number) => {
      sent.push({ ...sound, status });
    };
    const end = (status: number, type: string, body: string) => {
      record(status);
      response.writeHead(status, { "content-type": type }).end(body);
      return status;
    };
    const fault = faultOf(asked++);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const words = fault?.kind === "invented" ? inventedWords : hear(sound);
    const json = JSON.stringify(answerOf(shape, words, sound.durationMs));
    switch (fault?.kind) {
      case "status":
        return end(fault.status, "text/plain", fault.text ?? "model is not ready\n");
      case "stall":
        record(0);
        await once(response, "close");
        return 0;
      case "hang up":
        record(0);
        request.socket.destroy();
        return 0;
      case "cut off":
        record(200);
        response.writeHead(200, { "content-type": "application/json", "content-length": json.length });
        response.write(json.slice(0, json.length / 2), () => request.socket.destroy());
        return 200;
      case "half JSON":
        return end(200, "application/json", json.slice(0, json.length / 2));
      case "other JSON":
        return end(200, "application/json", '{"words":"none","segments":{"error":"overloaded"}}');
      case "HTML":
        return end(200, "text/html", "<html><body>Gateway</body></html>");
      default:
    }
    if (shape === "groq" && sound.granularities.includes("word")) {
      const message = "timestamp_granularities[]: word is not supported";
      return end(400, "application/json", JSON.stringify({ error: { message, type: "invalid_request_error" } }));
    }
    return end(200, "application/json", json);
  }

  const server = createServer((request, response) => {
    now++;
    most = Math.max(most, now);
    response.on("error", () => {});
    respond(request, response)
      .catch(() => response.destroy())
      .finally(() => now--);
  });
  const open = async () => {
    if (server.listening) return;
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await open();
  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    mostAtOnce: () => most,
    waiting: () => now,
    setShape(next) {
      shape = next;
    },
    setFault(fault) {
      asked = 0;
      faultOf = typeof fault === "function" ? fault : () => fault;
    },
    setDelay(ms) {
      delayMs = ms;
    },
    open,
    async shut() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Bytes of a WAV header. */
const headerBytes = 44;

async function readRequest(request: IncomingMessage): Promise<Omit<SentSound, "status">> {
  const body = await buffer(request);
  if (request.method !== "POST" || request.url !== "/v1/audio/transcriptions")
    throw new Error(`${request.method} ${request.url}`);
  const type = request.headers["content-type"] ?? "";
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const file = form.get("file");
  if (!(file instanceof File)) throw new Error("no file");
  const bytes = Buffer.from(await file.arrayBuffer());
  const text = (name: string) => String(form.get(name) ?? "");
  const bytesPerSecond = bytes.readUInt32LE(28);
  return {
    at: Date.now(),
    sha256: createHash("sha256").update(bytes).digest("hex"),
    durationMs: ((bytes.length - headerBytes) * 1000) / bytesPerSecond,
    bytes: bytes.length,
    language: text("language"),
    model: text("model"),
    responseFormat: text("response_format"),
    granularities: form.getAll("timestamp_granularities[]").map(String),
    authorization: request.headers.authorization,
  };
}

const inventedWords = [
  ..."Thank you for watching.".split(" "),
  ...Array.from({ length: 6 }, () => "Please like and subscribe.".split(" ")).flat(),
];

/** The answer of one kind of server. Words are spread evenly over the sound. */
function answerOf(shape: AnswerShape, words: readonly string[], durationMs: number): unknown {
  const duration = durationMs / 1000;
  const each = duration / Math.max(1, words.length);
  const timed = words.map((word, index) => ({ word, start: index * each, end: (index + 0.9) * each }));
  const text = words.join(" ");
  const segment = { id: 0, start: 0, end: duration, text: ` ${text}`, avg_logprob: -0.2, no_speech_prob: 0.01 };
  switch (shape) {
    case "openai":
      return { task: "transcribe", language: "english", duration, text, words: timed, segments: [segment] };
    case "whisper.cpp":
      return {
        task: "transcribe",
        language: "english",
        duration,
        text,
        segments: [{ ...segment, words: tokensOf(timed) }],
      };
    case "localai":
      return { text, words: null, segments: [segment] };
    case "vllm":
    case "groq":
      return { duration: String(duration), language: "en", text, segments: [segment] };
  }
}

/** Parts of words: the first one has a space before it, and punctuation is one of its own. */
const tokensOf = (words: readonly { word: string; start: number; end: number }[]) =>
  words.flatMap(({ word, start, end }) => {
    const cut = Math.ceil(word.length / 2);
    const middle = (start + end) / 2;
    const first = { word: ` ${word.slice(0, cut)}`, start, end: middle, t_dtw: -1, probability: 0.8 };
    return word.length < 4
      ? [{ ...first, word: ` ${word}`, end }]
      : [first, { ...first, word: word.slice(cut), start: middle, end }];
  });
