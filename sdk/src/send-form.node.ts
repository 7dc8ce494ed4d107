import { once } from "node:events";
import type { Agent, ClientRequest, IncomingMessage, request as Request } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import type { FormRequest, FormSender, RawAnswer } from "./form.ts";
import { type FormBody, formBody } from "./form-body.node.ts";

/** A form up to this size is sent as one piece: a stream, and asking first, would cost more than they save. */
const oneMessage = 1024 * 1024;
/** A server that knows nothing of Expect: 100-continue never says that we may go ahead. */
const goAheadMs = 1_000;

/** Sends forms with node:http: fetch would keep a whole recording in memory. */
export function openFormSender(): FormSender {
  let ways: ReturnType<typeof openWays> | undefined;

  function open(form: FormRequest, body: FormBody, more: Record<string, string>, { request: ask, agent }: Way) {
    const request = ask(form.url, {
      method: "POST",
      agent,
      signal: form.signal,
      timeout: form.silenceMs,
      headers: { ...form.headers, "content-type": body.contentType, "content-length": body.totalBytes, ...more },
    });
    request.once("timeout", () => request.destroy(new Error(`nothing moved for ${form.silenceMs / 1000} s`)));
    return request;
  }

  async function sendOnce(form: FormRequest, fresh = false): Promise<RawAnswer> {
    form.signal?.throwIfAborted();
    const body = formBody(form.parts);
    const pieces = body.totalBytes <= oneMessage ? await body.pieces() : undefined;
    ways ??= openWays();
    const way = (await ways)[form.url.startsWith("https:") ? "https" : "http"];
    const expect: Record<string, string> = pieces ? {} : { expect: "100-continue" };
    const request = open(form, body, expect, fresh ? { ...way, agent: false } : way);
    const answered = answerTo(request);
    try {
      if (pieces) sendWhole(request, pieces, body, form);
      else await stream(request, body, form, answered);
      return await answered;
    } catch (error) {
      // The service may close a kept connection at the moment that we use it again.
      const stale =
        request.reusedSocket && !fresh && ["ECONNRESET", "EPIPE"].includes((error as { code: string }).code);
      if (!stale || form.signal?.aborted) throw error;
      return await sendOnce(form, true);
    } finally {
      // What is answered before it was sent is not sent any further.
      if (!request.writableFinished) request.destroy();
    }
  }

  return {
    send: (form) => sendOnce(form),
    close() {
      void ways?.then(({ http, https }) => {
        http.agent.destroy();
        https.agent.destroy();
      });
    },
  };
}

interface Way {
  readonly request: typeof Request;
  readonly agent: Agent | false;
}

/** Loaded for the first form: an import of node:http takes all of fetch along, a third of what a short program does. */
async function openWays() {
  const [http, https] = await Promise.all([import("node:http"), import("node:https")]);
  return {
    http: { request: http.request, agent: new http.Agent({ keepAlive: true }) },
    https: { request: https.request, agent: new https.Agent({ keepAlive: true }) },
  };
}

/** Corked, so that all pieces leave in one call without being copied into one. */
function sendWhole(request: ClientRequest, pieces: readonly Uint8Array[], { totalBytes }: FormBody, form: FormRequest) {
  request.cork();
  for (const piece of pieces) request.write(piece);
  request.end(() => form.onProgress?.({ sentBytes: totalBytes, totalBytes }));
}

/** Shows the key first, so that a refused recording is not uploaded, and then sends chunk after chunk until an answer. */
async function stream(request: ClientRequest, body: FormBody, form: FormRequest, answered: Promise<RawAnswer>) {
  let over = false;
  const ended = answered.then(
    () => (over = true),
    () => (over = true),
  );
  request.flushHeaders();
  await goAhead(request, ended);
  const { totalBytes } = body;
  let sentBytes = 0;
  for await (const chunk of body.chunks()) {
    // Lets an answer in before the next write: writing to a connection that was closed after it would lose it.
    await turn();
    if (over || request.destroyed) return;
    // What goes wrong here is told by the answer, or by what it fails with.
    if (!request.write(chunk)) await Promise.race([once(request, "drain").catch(() => {}), ended]);
    sentBytes += chunk.length;
    form.onProgress?.({ sentBytes, totalBytes });
  }
  request.end();
}

async function goAhead(request: ClientRequest, ended: Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined;
  const told = new Promise((resolve) => {
    request.once("continue", resolve);
    timer = setTimeout(resolve, goAheadMs);
  });
  await Promise.race([told, ended]);
  clearTimeout(timer);
}

/** What comes back, also before everything was sent, and also if the connection is cut right after it. */
function answerTo(request: ClientRequest): Promise<RawAnswer> {
  const answered = new Promise<RawAnswer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let answer: IncomingMessage | undefined;
    const settle = ({ headers, statusCode = 0 }: IncomingMessage) =>
      resolve({
        status: statusCode,
        header: (name) => [headers[name]].flat()[0],
        text: Buffer.concat(chunks).toString(),
      });
    const fail = (error: Error) => {
      // A refusal counts even without its last byte: the same request would be refused again.
      if (answer?.statusCode && answer.statusCode >= 400) settle(answer);
      else reject(error);
    };
    request.on("error", fail);
    request.once("close", () => fail(new Error("the connection was closed without an answer")));
    request.once("response", (incoming) => {
      answer = incoming;
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", fail);
      incoming.once("end", () => settle(incoming));
    });
  });
  // Whoever waits for it hears of it; before that it is no unhandled failure.
  answered.catch(() => {});
  return answered;
}
