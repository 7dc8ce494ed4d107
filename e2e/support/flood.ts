// Run as a process of its own: a client that sends imports and reads at a fixed rate, whatever they are answered with.
// Talks to its parent: takes its order once, then { streams } and "rest" in turn; tells { floods } after each.
import http, { type IncomingMessage } from "node:http";
import { type Form, multipart } from "./http.ts";
import { aRecording, KB, partsOf } from "./recordings.ts";
import type { Service } from "./service.ts";

export interface FloodOrder {
  readonly service: Service;
  readonly readKey: string;
  readonly path: string;
  /** What it may send. */
  readonly readsPerSecond: number;
  readonly importsPerSecond: number;
  /** What is sent before this long is not counted among the accepted. */
  readonly leadMs: number;
}

/** How many times what it may send goes to which server. */
export interface Stream {
  readonly baseUrl: string;
  readonly times: number;
}

/** What came of it. */
export interface Flood {
  /** How long it took after the lead. */
  readonly seconds: number;
  readonly sent: number;
  /** Answers of 200 to what was sent after the lead. */
  readonly acceptedReads: number;
  readonly acceptedImports: number;
  /** All imports that were answered with 200. */
  readonly imported: number;
  readonly refused: number;
  /** What should not have come. */
  readonly wrong: readonly string[];
}

const CONNECTIONS = 32;
const TICK_MS = 10;
/** A machine that was busy elsewhere is not made up for: that would be another flood. */
const MOST_AT_ONCE = 20;

/** What a refused import sent is sent again: it is as good as new. */
function openForms(service: Service) {
  const unused: Form[] = [];
  return {
    take: () => unused.pop() ?? multipart(partsOf(service, aRecording(16 * KB, "1714557600"))),
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
