import { openFormSender } from "#send-form";
import { apiHeaders, rootOf } from "./client-options.ts";
import { type Download, toDownload } from "./download.ts";
import { type FormPart, type FormProgress, RecordingError } from "./form.ts";
import { errorResponse, noResponse, parseBody } from "./responses.ts";
import { defaultRetries, openBudget, openOutage, type RetryPolicy, withRetries } from "./retry.ts";
import { ServiceError } from "./service-error.ts";
import { toJson, toQuery } from "./snake-case.ts";

export interface ClientOptions {
  /** Address of the service, such as https://hearback.example.com; "" on a page served by Hearback. */
  readonly baseUrl: string;
  /** Omit on pages served by Hearback, where the session cookie authenticates the user. */
  readonly apiKey?: string | undefined;
  readonly retries?: Partial<RetryPolicy>;
  /**
   * Timeout of one attempt, until the response is complete; for downloads, until it starts. Uploads use
   * `idleTimeoutMs`.
   */
  readonly timeoutMs?: number;
  /** Idle timeout of an upload. The total duration is unlimited. */
  readonly idleTimeoutMs?: number;
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  /** Cancels the request and its retries; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

interface ApiRequest extends RequestOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** Sent in snake_case. */
  readonly query?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  /** Whether the request is idempotent. Default: all methods except POST. */
  readonly repeatable?: boolean;
  /** Whether to follow a redirect, without sending the API key. */
  readonly followRedirect?: boolean;
}

/** A request as it is sent. */
type EncodedRequest = Omit<ApiRequest, "query" | "body"> & { readonly body?: string };

/** Before the first attempt: an invalid value fails at once, not after all retries. */
function encode({ query, body, path, ...request }: ApiRequest): EncodedRequest {
  const parameters = query && toQuery(query);
  return {
    ...request,
    path: parameters?.size ? `${path}?${parameters}` : path,
    ...(body !== undefined && { body: toJson(body) }),
  };
}

/** Checks that a response body has the required members. */
type IsComplete<Body> = (body: Partial<Body>) => boolean;

interface Upload<Body> extends RequestOptions {
  readonly path: string;
  readonly isComplete: IsComplete<Body>;
  readonly parts: readonly FormPart[];
  readonly onProgress?: ((progress: FormProgress) => void) | undefined;
}

interface AttemptOptions extends Pick<ClientOptions, "timeoutMs" | "fetch"> {
  readonly root: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends one attempt. `read` is part of it, because the response can be cut off while it is read. */
const openAttempts = ({ root, headers: authHeaders, timeoutMs = 30_000, fetch: send = fetch }: AttemptOptions) =>
  async function attemptAt<T>(
    request: EncodedRequest,
    attempt: number,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new Error(`timeout after ${timeoutMs / 1000} s`)), timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout.signal]) : timeout.signal;
    const json = request.body !== undefined && { "content-type": "application/json" };
    const url = `${root}${request.path}`;
    try {
      let response = await send(url, {
        method: request.method,
        headers: { ...authHeaders, ...json, ...request.headers },
        ...(json && { body: request.body }),
        // Never send the API key to another address.
        redirect: "manual",
        credentials: "same-origin",
        signal,
      });
      const location = request.followRedirect && response.status === 302 && response.headers.get("location");
      if (location) response = await send(new URL(location, url), { headers: { ...request.headers }, signal });
      if (response.ok) return await read(response);
      const { headers, status } = response;
      const text = await response.text().catch(() => "");
      throw errorResponse({ status: status || 302, header: (name) => headers.get(name), text }, attempt);
    } catch (error) {
      throw error instanceof ServiceError ? error : noResponse(root, attempt, error);
    } finally {
      clearTimeout(timer);
    }
  };

/** Sends the requests of a client: adds the API key, retries, and converts failures to ServiceError. */
export function openTransport(options: ClientOptions) {
  const { idleTimeoutMs = 60_000 } = options;
  const root = rootOf(options.baseUrl);
  const headers = apiHeaders(options.apiKey);
  const policy = { ...defaultRetries, ...options.retries };
  const retryContext = { policy, budget: openBudget(policy.budget), outage: openOutage() };
  const forms = openFormSender();
  const attemptAt = openAttempts({ ...options, root, headers });

  const exchange = async <T>(
    request: ApiRequest,
    read: (response: Response, attempt: number) => T | Promise<T>,
  ): Promise<T> => {
    const encoded = encode(request);
    return withRetries((attempt) => attemptAt(encoded, attempt, (response) => read(response, attempt)), {
      ...retryContext,
      signal: request.signal,
      repeatable: request.repeatable ?? request.method !== "POST",
    });
  };

  return {
    /** URL of a path, for elements that fetch it themselves. */
    urlOf: (path: string): string => `${root}${path}`,
    json: <Body>(request: ApiRequest, isComplete?: IsComplete<Body>): Promise<Body> =>
      exchange(request, async (response, attempt) =>
        parseBody<Body>({ text: await response.text(), status: response.status, isComplete }, attempt),
      ),
    /** Sends a request whose response has no body. */
    send: (request: ApiRequest): Promise<void> => exchange(request, async (response) => void (await response.text())),
    /**
     * Sends a DELETE request. A 404 after an attempt that may have succeeded counts as success: its response was lost.
     */
    remove(path: string, { signal }: RequestOptions): Promise<void> {
      let mayBeDone = false;
      const remove = (attempt: number) =>
        attemptAt({ method: "DELETE", path, signal }, attempt, async (response) => void (await response.text()));
      const send = (attempt: number) =>
        remove(attempt).catch((error) => {
          if (mayBeDone && error instanceof ServiceError && error.status === 404) return;
          mayBeDone ||= error instanceof ServiceError && !error.nothingDone;
          throw error;
        });
      return withRetries(send, { ...retryContext, signal, repeatable: true });
    },
    /** Streams the response body. */
    download: (request: ApiRequest): Promise<Download> =>
      exchange({ ...request, followRedirect: true }, (response, attempt) =>
        toDownload(response, (error) => noResponse(root, attempt, error)),
      ),
    /** Uploads a form with a recording. Importing is idempotent, so all temporary failures are retried. */
    upload: <Body>({ path, parts, isComplete, signal, onProgress }: Upload<Body>): Promise<Body> =>
      withRetries(
        async (attempt) => {
          const form = { url: `${root}${path}`, headers, parts, idleTimeoutMs, signal, onProgress };
          const response = await forms.send(form).catch((error) => {
            signal?.throwIfAborted();
            throw error instanceof RecordingError ? error : noResponse(root, attempt, error);
          });
          if (response.status < 200 || response.status > 299) throw errorResponse(response, attempt);
          return parseBody<Body>({ ...response, isComplete }, attempt);
        },
        { ...retryContext, signal, repeatable: true },
      ),
    close: () => forms.close(),
  };
}
export type Transport = ReturnType<typeof openTransport>;
