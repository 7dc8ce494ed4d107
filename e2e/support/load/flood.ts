// Child process: sends imports and reads at a fixed rate, whatever the responses.
// Protocol: receives its order once, then alternately { streams } and "rest"; sends { floods } after each.
import http, { type IncomingMessage } from "node:http";
import { type Form, multipart } from "../http/http.ts";
import type { Service } from "../http/service.ts";
import { KB, makeRecording, partsOf } from "../recordings/recordings.ts";

export interface FloodOrder {
  readonly service: Service;
  readonly readKey: string;
  readonly path: string;
  /** Rate limits. */
  readonly readsPerSecond: number;
  readonly importsPerSecond: number;
  /** Warm-up: requests sent before this time are not counted as accepted. */
  readonly leadMs: number;
}

/** Target server and multiple of the rate limits. */
export interface Stream {
  readonly baseUrl: string;
  readonly times: number;
}

/** Result of a flood. */
export interface Flood {
  /** Duration after the warm-up. */
  readonly seconds: number;
  readonly sent: number;
  /** Requests accepted after the warm-up. */
  readonly acceptedReads: number;
  readonly acceptedImports: number;
  /** All accepted imports. */
  readonly imported: number;
  readonly refused: number;
  /** Unexpected responses. */
  readonly wrong: readonly string[];
}

const CONNECTIONS = 32;
const TICK_MS = 10;
/** Do not catch up after a delay: that would be a burst. */
const MOST_AT_ONCE = 20;

/** Reuses the forms of rejected imports. */
function openForms(service: Service) {
  const unused: Form[] = [];
  return {
    take: () => unused.pop() ?? multipart(partsOf(service, makeRecording(16 * KB, "1714557600"))),
    giveBack: (form: Form) => void unused.push(form),
  };
}

function openClient(order: FloodOrder, { baseUrl, times }: Stream) {
  const { service, leadMs } = order;
  const forms = openForms(service);
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const begun = performance.now();
  const wrong: string[] = [];
  const counts = { sent: 0, acceptedReads: 0, acceptedImports: 0, imported: 0, refused: 0 };
  const running = new Set<Promise<void>>();
  const due = { reads: 0, imports: 0 };

  function look(form: Form | undefined, sentMs: number, { statusCode = 0, headers }: IncomingMessage): void {
    const missing = ["ratelimit", "ratelimit-policy"].filter((name) => !headers[name]);
    if (statusCode === 429 && !/^[1-9]\d*$/.test(headers["retry-after"] ?? "")) missing.push("retry-after");
    if (missing.length > 0) wrong.push(`${statusCode} without ${missing.join(", ")}`);
    if (![200, 429].includes(statusCode)) wrong.push(`status ${statusCode}`);
    if (statusCode === 429) {
      counts.refused += 1;
      if (form) forms.giveBack(form);
    }
    if (statusCode !== 200) return;
    if (form) counts.imported += 1;
    if (sentMs >= leadMs) counts[form ? "acceptedImports" : "acceptedReads"] += 1;
  }

  function sendOne(form: Form | undefined): Promise<void> {
    counts.sent += 1;
    const sentMs = performance.now() - begun;
    return new Promise((resolve) => {
      const request = http.request(`${baseUrl}${form ? "/calls/audio" : order.path}`, {
        agent,
        method: form ? "POST" : "GET",
        headers: {
          "x-api-key": form ? service.apiKey : order.readKey,
          ...(form && { "content-type": form.contentType, "content-length": String(form.body.length) }),
        },
      });
      request.on("response", (response) => {
        look(form, sentMs, response);
        response.resume().on("close", resolve);
      });
      request.on("error", (error) => {
        wrong.push(error.message);
        resolve();
      });
      request.end(form?.body);
    });
  }

  function sendDue(what: "reads" | "imports"): void {
    const perSecond = times * (what === "reads" ? order.readsPerSecond : order.importsPerSecond);
    due[what] = Math.min(due[what] + (perSecond * TICK_MS) / 1000, MOST_AT_ONCE);
    for (; due[what] >= 1; due[what]--) {
      const sent = sendOne(what === "imports" ? forms.take() : undefined);
      running.add(sent);
      void sent.then(() => running.delete(sent));
    }
  }
  const ticking = setInterval(() => {
    sendDue("imports");
    sendDue("reads");
  }, TICK_MS);

  return {
    async rest(): Promise<Flood> {
      clearInterval(ticking);
      const seconds = (performance.now() - begun - leadMs) / 1000;
      await Promise.all(running);
      agent.destroy();
      return { seconds, ...counts, wrong: wrong.slice(0, 10) };
    },
  };
}

process.once("message", (order: FloodOrder) => {
  let clients: ReturnType<typeof openClient>[] = [];
  process.on("message", (word: { streams: Stream[] } | "rest") => {
    if (word !== "rest") clients = word.streams.map((stream) => openClient(order, stream));
    else void Promise.all(clients.map((client) => client.rest())).then((floods) => process.send?.({ floods }));
  });
});
