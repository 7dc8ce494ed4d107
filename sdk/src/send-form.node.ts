import { once } from "node:events";
import type { Agent, ClientRequest, IncomingMessage, request as Request } from "node:http";
import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import type { FormRequest, FormSender, RawResponse } from "./form.ts";
import { type FormBody, formBody } from "./form-body.node.ts";

/**
 * Forms up to this size are sent without streaming and without Expect: 100-continue, which would cost more than they
 * save.
 */
const maxBufferedBytes = 1024 * 1024;
/** How long to wait for 100 Continue. Servers that do not support it never send it. */
const continueTimeoutMs = 1_000;

/** Sends forms with node:http, because fetch would buffer the whole recording in memory. */
export function openFormSender(): FormSender {
  let clients: ReturnType<typeof openHttpClients> | undefined;

  function open(form: FormRequest, body: FormBody, more: Record<string, string>, { request: send, agent }: HttpClient) {
    const request = send(form.url, {
      method: "POST",
      agent,
      signal: form.signal,
      timeout: form.idleTimeoutMs,
      headers: { ...form.headers, "content-type": body.contentType, "content-length": body.totalBytes, ...more },
    });
    request.once("timeout", () => request.destroy(new Error(`no traffic for ${form.idleTimeoutMs / 1000} s`)));
    return request;
  }

  async function sendOnce(form: FormRequest, fresh = false): Promise<RawResponse> {
    form.signal?.throwIfAborted();
    const body = formBody(form.parts);
    const pieces = body.totalBytes <= maxBufferedBytes ? await body.pieces() : undefined;
    clients ??= openHttpClients();
    const client = (await clients)[form.url.startsWith("https:") ? "https" : "http"];
    const expect: Record<string, string> = pieces ? {} : { expect: "100-continue" };
    const request = open(form, body, expect, fresh ? { ...client, agent: false } : client);
    const response = responseTo(request);
    try {
      if (pieces) sendBuffered(request, pieces, body, form);
      else await stream(request, body, form, response);
      return await response;
    } catch (error) {
      // The server may close a keep-alive connection just as it is reused.
      const stale =
        request.reusedSocket && !fresh && ["ECONNRESET", "EPIPE"].includes((error as { code: string }).code);
      if (!stale || form.signal?.aborted) throw error;
      return await sendOnce(form, true);
    } finally {
      // If the response came before the body was sent, stop sending.
      if (!request.writableFinished) request.destroy();
    }
  }

  return {
    send: (form) => sendOnce(form),
    close() {
      void clients?.then(({ http, https }) => {
        http.agent.destroy();
        https.agent.destroy();
      });
    },
  };
}

interface HttpClient {
  readonly request: typeof Request;
  readonly agent: Agent | false;
}

/** Lazy import: loading node:http takes a third of the run time of a short program. */
async function openHttpClients() {
  const [http, https] = await Promise.all([import("node:http"), import("node:https")]);
  return {
    http: { request: http.request, agent: new http.Agent({ keepAlive: true }) },
    https: { request: https.request, agent: new https.Agent({ keepAlive: true }) },
  };
}

/** Corks the request, so that all buffers are written in one system call without being concatenated. */
function sendBuffered(
  request: ClientRequest,
  pieces: readonly Uint8Array[],
  { totalBytes }: FormBody,
  form: FormRequest,
) {
  request.cork();
  for (const piece of pieces) request.write(piece);
  request.end(() => form.onProgress?.({ sentBytes: totalBytes, totalBytes }));
}

/**
 * Sends the headers and waits for 100 Continue, so that a rejected recording is not uploaded. Then streams the body.
 */
async function stream(request: ClientRequest, body: FormBody, form: FormRequest, response: Promise<RawResponse>) {
  let finished = false;
  const ended = response.then(
    () => (finished = true),
    () => (finished = true),
  );
  request.flushHeaders();
  await waitForContinue(request, ended);
  const { totalBytes } = body;
  let sentBytes = 0;
  for await (const chunk of body.chunks()) {
    // Read a pending response before the next write: writing to a connection that the server has closed would lose it.
    await nextEventLoopTurn();
    if (finished || request.destroyed) return;
    // `response` reports write errors.
    if (!request.write(chunk)) await Promise.race([once(request, "drain").catch(() => {}), ended]);
    sentBytes += chunk.length;
    form.onProgress?.({ sentBytes, totalBytes });
  }
  request.end();
}

async function waitForContinue(request: ClientRequest, ended: Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined;
  const continued = new Promise((resolve) => {
    request.once("continue", resolve);
    timer = setTimeout(resolve, continueTimeoutMs);
  });
  await Promise.race([continued, ended]);
  clearTimeout(timer);
}

/** Reads the response, even if it comes before the body is sent or the connection is closed right after it. */
function responseTo(request: ClientRequest): Promise<RawResponse> {
  const result = new Promise<RawResponse>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let response: IncomingMessage | undefined;
    const settle = ({ headers, statusCode = 0 }: IncomingMessage) =>
      resolve({
        status: statusCode,
        header: (name) => [headers[name]].flat()[0],
        text: Buffer.concat(chunks).toString(),
      });
    const fail = (error: Error) => {
      // Accept a truncated error response: a retry would be rejected again.
      if (response?.statusCode && response.statusCode >= 400) settle(response);
      else reject(error);
    };
    request.on("error", fail);
    request.once("close", () => fail(new Error("the connection was closed without a response")));
    request.once("response", (incoming) => {
      response = incoming;
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", fail);
      incoming.once("end", () => settle(incoming));
    });
  });
  // Prevents an unhandled rejection before the caller awaits the result.
  result.catch(() => {});
  return result;
}
