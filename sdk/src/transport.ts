import { openFormSender } from "#send-form";
import { noAnswer, parsed, refusal } from "./answers.ts";
import { type Download, toDownload } from "./download.ts";
import { type FormPart, type FormProgress, RecordingError } from "./form.ts";
import { defaultRetries, openBudget, openOutage, type RetryPolicy, withRetries } from "./retry.ts";
import { ServiceError } from "./service-error.ts";

export interface ClientOptions {
  /** Where the service is, such as https://hearback.example.com; "" for a page that the service itself serves. */
  readonly baseUrl: string;
  /** Absent: in a browser, on the service's own pages, where the session's cookie says who asks. */
  readonly apiKey?: string | undefined;
  readonly retries?: Partial<RetryPolicy>;
  /** How long one attempt may take: its answer, or with a download the beginning of it. Uploads have `silenceMs`. */
  readonly timeoutMs?: number;
  /** How long nothing may move while a recording is sent; how long all of it takes is not bounded. */
  readonly silenceMs?: number;
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  /** Stops the request, and its retries; it then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

interface Ask extends RequestOptions {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: URLSearchParams | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  /** Whether sending it twice does the same as sending it once: all but POST, unless told otherwise. */
  readonly repeatable?: boolean;
  /** Whether a redirect is followed, without the key. */
  readonly mayBeElsewhere?: boolean;
}

/** Whether a success has what is needed of it. */
type IsWhole<Body> = (body: Partial<Body>) => boolean;

interface Upload<Body> extends RequestOptions {
  readonly path: string;
  readonly isWhole: IsWhole<Body>;
  readonly parts: readonly FormPart[];
  readonly onProgress?: ((progress: FormProgress) => void) | undefined;
}

interface AttemptOptions extends Pick<ClientOptions, "timeoutMs" | "fetch"> {
  readonly root: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One attempt at a time. What `read` makes of the answer belongs to it: an answer may be cut, too. */
const openAttempts = ({ root, headers: ours, timeoutMs = 30_000, fetch: send = fetch }: AttemptOptions) =>
  async function attemptAt<T>(ask: Ask, attempt: number, read: (answer: Response) => T | Promise<T>): Promise<T> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new Error(`nothing within ${timeoutMs / 1000} s`)), timeoutMs);
    const signal = ask.signal ? AbortSignal.any([ask.signal, timeout.signal]) : timeout.signal;
    const json = ask.body !== undefined && { "content-type": "application/json" };
    const url = `${root}${ask.path}${ask.query?.size ? `?${ask.query}` : ""}`;
    try {
      let answer = await send(url, {
        method: ask.method,
        headers: { ...ours, ...json, ...ask.headers },
        ...(json && { body: JSON.stringify(ask.body) }),
        // The key is for this address alone.
        redirect: "manual",
        credentials: "same-origin",
        signal,
      });
      const elsewhere = ask.mayBeElsewhere && answer.status === 302 && answer.headers.get("location");
      if (elsewhere) answer = await send(new URL(elsewhere, url), { headers: { ...ask.headers }, signal });
      if (answer.ok) return await read(answer);
      const { headers, status } = answer;
      const text = await answer.text().catch(() => "");
      throw refusal({ status: status || 302, header: (name) => headers.get(name), text }, attempt);
    } catch (error) {
      throw error instanceof ServiceError ? error : noAnswer(root, attempt, error);
    } finally {
      clearTimeout(timer);
    }
  };

/** How every request of a client is sent: with its key, with retries, with one kind of failure. */
export function openTransport(options: ClientOptions) {
  const { silenceMs = 60_000 } = options;
  const root = options.baseUrl.replace(/\/+$/, "");
  const policy = { ...defaultRetries, ...options.retries };
  const retrying = { policy, budget: openBudget(policy.budget), outage: openOutage() };
  const forms = openFormSender();
  const headers: Record<string, string> = options.apiKey === undefined ? {} : { "x-api-key": options.apiKey };
  const attemptAt = openAttempts({ ...options, root, headers });

  const exchange = <T>(ask: Ask, read: (answer: Response, attempt: number) => T | Promise<T>): Promise<T> =>
    withRetries((attempt) => attemptAt(ask, attempt, (answer) => read(answer, attempt)), {
      ...retrying,
      signal: ask.signal,
      repeatable: ask.repeatable ?? ask.method !== "POST",
    });

  return {
    /** Where something is, for whatever fetches it itself. */
    urlOf: (path: string): string => `${root}${path}`,
    json: <Body>(ask: Ask, isWhole?: IsWhole<Body>): Promise<Body> =>
      exchange(ask, async (answer, attempt) =>
        parsed<Body>({ text: await answer.text(), status: answer.status, isWhole }, attempt),
      ),
    /** Something that is answered with nothing. */
    send: (ask: Ask): Promise<void> => exchange(ask, async (answer) => void (await answer.text())),
    /** Removes something. Not found after an attempt that may have done it means that it did, and its answer was lost. */
    remove(path: string, { signal }: RequestOptions): Promise<void> {
      let perhapsDone = false;
      const remove = (attempt: number) =>
        attemptAt({ method: "DELETE", path, signal }, attempt, async (answer) => void (await answer.text()));
      const send = (attempt: number) =>
        remove(attempt).catch((error) => {
          if (perhapsDone && error instanceof ServiceError && error.status === 404) return;
          perhapsDone ||= error instanceof ServiceError && !error.nothingDone;
          throw error;
        });
      return withRetries(send, { ...retrying, signal, repeatable: true });
    },
    /** An answer whose body is read while it comes. */
    download: (ask: Ask): Promise<Download> =>
      exchange({ ...ask, mayBeElsewhere: true }, (answer, attempt) =>
        toDownload(answer, (error) => noAnswer(root, attempt, error)),
      ),
    /** A form with a recording. Importing is safe to repeat, so every passing failure is retried. */
    upload: <Body>({ path, parts, isWhole, signal, onProgress }: Upload<Body>): Promise<Body> =>
      withRetries(
        async (attempt) => {
          const form = { url: `${root}${path}`, headers, parts, silenceMs, signal, onProgress };
          const answer = await forms.send(form).catch((error) => {
            signal?.throwIfAborted();
            throw error instanceof RecordingError ? error : noAnswer(root, attempt, error);
          });
          if (answer.status < 200 || answer.status > 299) throw refusal(answer, attempt);
          return parsed<Body>({ ...answer, isWhole }, attempt);
        },
        { ...retrying, signal, repeatable: true },
      ),
    close: () => forms.close(),
  };
}
export type Transport = ReturnType<typeof openTransport>;
