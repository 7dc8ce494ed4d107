/** What a request carries for whoever asks: a key, or the cookie of somebody who is signed in, on a page of the service. */
export const callerHeaders = (caller: string, baseUrl: string): Record<string, string> =>
  isCookie(caller) ? { cookie: caller, origin: baseUrl } : { "x-api-key": caller };

const isCookie = (caller: string) => /^(__Host-)?hearback=/.test(caller);
