import type { Problem } from "@hearback/contract";
import { openFormSender } from "#send-form";
import { type FormPart, type FormProgress, type RawAnswer, RecordingError } from "./form.ts";
import { defaultRetries, openBudget, type RetryPolicy, withRetries } from "./retry.ts";
import { retryAfterMs, ServiceError, unreachable } from "./service-error.ts";

export interface ClientOptions {
  /** Where the service is, such as https://hearback.example.com. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly retries?: Partial<RetryPolicy>;
  /** How long one attempt of a request without a recording may take. */
  readonly timeoutMs?: number;
  /** How long nothing may move while a recording is sent; how long all of it takes is not bounded. */
  readonly silenceMs?: number;
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

interface Ask extends RequestOptions {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: URLSearchParams | undefined;
  readonly body?: unknown;
  /** Whether sending it twice does the same as sending it once. */
  readonly repeatable?: boolean;
}

interface Upload extends RequestOptions {
  readonly path: string;
  readonly parts: readonly FormPart[];
  readonly onProgress?: ((progress: FormProgress) => void) | undefined;
}

/** How every request of a client is sent: with its key, with retries, with one kind of failure. */
export function openTransport(options: ClientOptions) {
  const { baseUrl, apiKey, timeoutMs = 30_000, silenceMs = 60_000, fetch: send = fetch } = options;
  const root = baseUrl.replace(/\/+$/, "");
  const policy = { ...defaultRetries, ...options.retries };
  const budget = openBudget(policy.budget);
  const forms = openFormSender();

  const open = (ask: Ask): Promise<Response> =>
    withRetries(
      async (attempt) => {
        const url = `${root}${ask.path}${ask.query?.size ? `?${ask.query}` : ""}`;
        const timeout = AbortSignal.timeout(timeoutMs);
        const init: RequestInit = {
          method: ask.method,
          headers: { "x-api-key": apiKey, ...(ask.body !== undefined && { "content-type": "application/json" }) },
          signal: ask.signal ? AbortSignal.any([ask.signal, timeout]) : timeout,
          ...(ask.body !== undefined && { body: JSON.stringify(ask.body) }),
        };
        const answer = await send(url, init).catch((error) => {
          throw noAnswer(root, attempt, error);
        });
        if (answer.ok) return answer;
        const text = await answer.text().catch(() => "");
        throw refusal({ status: answer.status, header: (name) => answer.headers.get(name), text }, attempt);
      },
      { policy, budget, signal: ask.signal, repeatable: ask.repeatable ?? ask.method !== "POST" },
    );

  return {
    /** The answer as it comes, for what is not JSON. */
    open,
    async json<Body>(ask: Ask): Promise<Body> {
      const answer = await open(ask);
      return (answer.status === 204 ? undefined : await answer.json()) as Body;
    },
    /** A form with a recording. Importing is safe to repeat, so every passing failure is retried. */
    upload: <Body>({ path, parts, signal, onProgress }: Upload): Promise<Body> =>
      withRetries(
        async (attempt) => {
          const headers = { "x-api-key": apiKey };
          const form = { url: `${root}${path}`, headers, parts, silenceMs, signal, onProgress };
          const answer = await forms.send(form).catch((error) => {
            signal?.throwIfAborted();
            throw error instanceof RecordingError ? error : noAnswer(root, attempt, error);
          });
          if (answer.status < 200 || answer.status > 299) throw refusal(answer, attempt);
          return JSON.parse(answer.text) as Body;
        },
        { policy, budget, signal, repeatable: true },
      ),
    close: () => forms.close(),
  };
}
export type Transport = ReturnType<typeof openTransport>;

function noAnswer(root: string, attempts: number, cause: unknown): ServiceError {
  const reason =
    cause instanceof Error ? ((cause.cause as Error | undefined)?.message ?? cause.message) : String(cause);
  const failure = { status: 0, code: unreachable, requestId: undefined, attempts };
  return new ServiceError(`No answer from ${root}: ${reason}`, failure, { cause });
}

function refusal({ status, header, text }: RawAnswer, attempts: number): ServiceError {
  const problem = problemOf(text);
  const failure = {
    ...{ status, attempts, problem },
    code: problem?.code ?? `http_${status}`,
    requestId: problem?.request_id ?? header("x-request-id") ?? undefined,
    retryAfterMs: retryAfterMs(header("retry-after")),
  };
  return new ServiceError(problem?.detail ?? `The service answered ${status}.`, failure);
}

function problemOf(text: string): Problem | undefined {
  try {
    const body = JSON.parse(text) as Problem;
    return typeof body?.code === "string" ? body : undefined;
  } catch {
    // Something between us and the service answered.
    return undefined;
  }
}
