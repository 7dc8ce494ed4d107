import { download, waitForCall, withEveryScope } from "../../support/http/call-details.ts";
import type { Service } from "../../support/http/service.ts";
import { MB, makeRecording, type Recording, serviceAt, tryImport } from "../../support/recordings/recordings.ts";
import { openToxicProxy, type ToxicProxy } from "../../support/servers/toxic-proxy.ts";
import type { ApiProcess, ServerProcess, Stack } from "../../support/stack/stack.ts";

/** Large enough for several requests to the store: parts of an upload, pieces of a download. */
export const recordingBytes = { api: 12 * MB, worker: 2 * MB };

/** A process, an API or a worker, that reaches each engine through a proxy. */
export interface Lane {
  readonly stack: Stack;
  readonly service: Service;
  /** The API that answers `service`; for a worker, one without proxies. */
  readonly api: ApiProcess;
  /** The process behind the proxies. */
  readonly subject: ServerProcess;
  readonly proxies: { readonly database: ToxicProxy; readonly store: ToxicProxy };
  /** Acknowledged calls: SHA-256 of the recording → call id. */
  readonly acknowledged: Map<string, string>;
  /** A call that was imported before the first fault. */
  readonly call: { readonly id: string; readonly recording: Recording };
  closeProxies(): Promise<void>;
}

export async function openLane(stack: Stack, kind: "api" | "worker"): Promise<Lane> {
  const { DATABASE_URL = "", S3_ENDPOINT = "" } = stack.env;
  const [database, store] = await Promise.all([
    openToxicProxy(Number(new URL(DATABASE_URL).port)),
    openToxicProxy(Number(new URL(S3_ENDPOINT).port)),
  ]);
  const env = { DATABASE_URL: database.url(DATABASE_URL), S3_ENDPOINT: store.url(S3_ENDPOINT) };
  const [api, worker] = await Promise.all([
    stack.startApi(kind === "api" ? { env } : {}),
    kind === "worker" ? stack.startWorker(env) : undefined,
  ]);
  const service = await withEveryScope(stack, serviceAt(stack, api.port));
  const recording = makeRecording(recordingBytes[kind]);
  const answer = await tryImport(service, recording);
  if (answer instanceof Error || answer.status !== 200) throw new Error(`not imported: ${JSON.stringify(answer)}`);
  const { id } = answer.body;
  // The first job and the first playbacks increase the memory of a process, whether there is a fault or not.
  if (worker) await waitForCall(service, id);
  else for (let time = 0; time < 5; time++) await download(service, `/calls/${id}/audio?original=true`);
  return {
    stack,
    service,
    api,
    subject: worker ?? api,
    proxies: { database, store },
    acknowledged: new Map([[recording.sha256, id]]),
    call: { id, recording },
    async closeProxies() {
      await Promise.all([database.close(), store.close()]);
    },
  };
}
