/** Request headers of a caller: an API key, or a session cookie with a same-origin Origin. */
export const callerHeaders = (caller: string, baseUrl: string): Record<string, string> =>
  isCookie(caller) ? { cookie: caller, origin: baseUrl } : { "x-api-key": caller };

const isCookie = (caller: string) => /^(__Host-)?hearback=/.test(caller);
