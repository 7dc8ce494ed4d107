import { createClient } from "@hearback/sdk";

const baseUrl = window.location.origin;

/**
 * The service that this page came from, asked with the session's cookie. Somebody waits for the answer: what cannot be had
 * within some seconds is said.
 */
export const client = createClient({ baseUrl, retries: { attempts: 4, longestAskedMs: 5000 } });

/** The same for what goes on by itself, and outlasts a restart of the service. */
export const patientClient = createClient({ baseUrl });

/** The same for what must not be tried again behind somebody's back. */
export const onceClient = createClient({ baseUrl, retries: { attempts: 1 } });
