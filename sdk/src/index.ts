export type * from "@hearback/contract";
export type { ImportCall } from "./calls.ts";
export { type Client, createClient } from "./client.ts";
export { type FormProgress, type Recording, RecordingError } from "./form.ts";
export type { RetryPolicy } from "./retry.ts";
export { mayRetry, ServiceError, unreachable } from "./service-error.ts";
export type { ClientOptions, RequestOptions } from "./transport.ts";
export type { InviteUser } from "./users.ts";
export { verifyWebhook, WebhookError } from "./verify-webhook.ts";
