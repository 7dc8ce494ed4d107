/// <reference lib="dom" />
import { once } from "node:events";
import http, { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { Service } from "../http/service.ts";
import type { Heard } from "../recordings/marked-recording.ts";

/** A proxied audio request with its response. */
export interface Fetched {
  readonly path: string;
  readonly range: string | undefined;
  readonly status: number;
  bytes: number;
}

/** A test server with an empty page, and a same-origin proxy of the service's audio that adds the key. */
export interface PlayerPage {
  readonly url: string;
  readonly fetched: Fetched[];
  close(): Promise<void>;
}

/** Throttled to 8 Mbit/s. Without it, socket buffers would hold half an hour of audio. */
const bytesPerMs = 1_000;

async function pass(from: IncomingMessage, to: ServerResponse, entry: Fetched): Promise<void> {
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (!to.write(chunk)) await once(to, "drain");
      entry.bytes += chunk.length;
      await sleep(chunk.length / bytesPerMs);
    }
    to.end();
  } catch {
    // The browser aborts a request when it has enough data.
  }
}

export async function openPlayerPage(service: Service): Promise<PlayerPage> {
  const fetched: Fetched[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    if (!path.startsWith("/calls/")) {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>player</title>");
      return;
    }
    const { range } = request.headers;
    const headers = { "x-api-key": service.apiKey, ...(range && { range }) };
    const upstream = http.get(service.baseUrl + path, { headers }, (answer) => {
      const entry: Fetched = { path, range, status: answer.statusCode ?? 0, bytes: 0 };
      fetched.push(entry);
      response.writeHead(entry.status, answer.headers);
      void pass(answer, response, entry);
    });
    for (const side of [upstream, response]) side.on("error", () => {});
    response.on("close", () => upstream.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the page has no port");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    fetched,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export interface Listening extends Heard {
  readonly durationS: number;
  /** Position reported by the player. */
  readonly currentTimeS: number;
}

/** Opens the audio in the page, seeks, and records the output. */
export async function listenAt(page: Page, path: string, seconds: number, forSeconds = 2): Promise<Listening> {
  const heard = await page.evaluate(
    async ({ path, seconds, forSeconds }) => {
      const nextEvent = (target: EventTarget, name: string) =>
        new Promise((resolve, reject) => {
          target.addEventListener(name, resolve, { once: true });
          target.addEventListener("error", () => reject(new Error(`the audio cannot be played (${name})`)));
        });
      const audio = new Audio();
      audio.preload = "metadata";
      audio.src = path;
      await nextEvent(audio, "loadedmetadata");
      const sought = nextEvent(audio, "seeked");
      audio.currentTime = seconds;
      await sought;
      const { currentTime: currentTimeS, duration: durationS } = audio;

      const context = new AudioContext({ sampleRate: 48_000 });
      const recorder = `registerProcessor("recorder", class extends AudioWorkletProcessor {
        process([input]) { if (input[0]) this.port.postMessage(input.map((channel) => channel.slice())); return true; }
      })`;
      await context.audioWorklet.addModule(URL.createObjectURL(new Blob([recorder], { type: "text/javascript" })));
      const node = new AudioWorkletNode(context, "recorder");
      const left: number[] = [];
      const right: number[] = [];
      const enough = Promise.withResolvers<void>();
      const rounded = (channel: Float32Array) => Array.from(channel, (sample) => Math.round(sample * 10_000));
      node.port.onmessage = ({ data: [first, second] }) => {
        left.push(...rounded(first));
        right.push(...rounded(second ?? first));
        if (left.length >= forSeconds * context.sampleRate) enough.resolve();
      };
      context.createMediaElementSource(audio).connect(node).connect(context.destination);
      await context.resume();
      await audio.play();
      await enough.promise;
      audio.pause();
      audio.removeAttribute("src");
      audio.load();
      await context.close();
      return { durationS, currentTimeS, rate: 48_000, left, right };
    },
    { path, seconds, forSeconds },
  );
  const samples = (numbers: number[]) => Float32Array.from(numbers, (number) => number / 10_000);
  return { ...heard, left: samples(heard.left), right: samples(heard.right) };
}
