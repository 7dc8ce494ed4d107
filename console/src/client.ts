import { createClient } from "@hearback/sdk";

const baseUrl = window.location.origin;

/** API client with the session cookie. Gives up after a few seconds, because a person is waiting. */
export const client = createClient({ baseUrl, retries: { attempts: 4, maxRetryAfterMs: 5000 } });

/** For background work: keeps retrying through a restart of the server. */
export const patientClient = createClient({ baseUrl });

/** For requests that must not be retried. */
export const onceClient = createClient({ baseUrl, retries: { attempts: 1 } });
