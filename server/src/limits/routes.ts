import { LimitsBody, metadataLimits, scopes } from "@hearback/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../platform/app.ts";
import { route } from "../platform/http/route.ts";
import { type Api, jsonBodyBytes } from "../platform/http/server.ts";
import { maxWebhooks } from "../webhooks/endpoint/list-webhooks.ts";
import { toLimitsBody } from "./limits-body.ts";
import { overLimit } from "./over-limit.ts";
import type { LimitedRequest, RateLimiter } from "./rate-limiter.ts";

/** Refuses a request over a limit before its body is read. Every response has the RateLimit headers. */
export async function enforceLimits(limiter: RateLimiter, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const kind = limitedRequestOf(request);
  const admission = limiter.acquire(request.caller, kind);
  const { policy, state, refusedBy, release } = admission instanceof Promise ? await admission : admission;
  if (policy) reply.header("ratelimit-policy", policy).header("ratelimit", state);
  if (refusedBy) throw overLimit(refusedBy);
  if (kind === "request") return;
  // "close" also fires when the client disconnects, which may already have happened while the limits were read.
  if (reply.raw.destroyed) release(undefined);
  else reply.raw.once("close", () => release(request.importedBytes));
}

function limitedRequestOf({ routeOptions: { config }, headers }: FastifyRequest): LimitedRequest {
  if (config.upload) return { uploadBytes: Number(headers["content-length"] ?? 0) || 0 };
  return config.download ? "download" : "request";
}

export function limitRoutes(api: Api, app: App, limiter: RateLimiter): void {
  const { recordings, timeouts } = app.config;
  const fixed: LimitsBody["interface"] = {
    recording_bytes: recordings.maxBytes,
    json_body_bytes: jsonBodyBytes,
    metadata_bytes: metadataLimits.bytes,
    metadata_entries: metadataLimits.entries,
    metadata_key_characters: metadataLimits.key,
    metadata_value_characters: metadataLimits.value,
    page_size: 500,
    webhooks_per_workspace: maxWebhooks,
    request_seconds: timeouts.requestMs / 1000,
    body_bytes_per_second: timeouts.bodyMinBytesPerSecond,
    body_grace_seconds: timeouts.bodyGraceMs / 1000,
    response_bytes_per_second: timeouts.responseMinBytesPerSecond,
    response_grace_seconds: timeouts.responseGraceMs / 1000,
  };

  route(api, {
    method: "GET",
    path: "/limits",
    id: "getLimits",
    tag: "Limits",
    summary: "Get limits and usage",
    description:
      "Returns the limits and current usage of this key and its workspace, and the fixed limits of the API. Every response reports the limits that apply to its request in the `RateLimit-Policy` and `RateLimit` headers. Requests over a limit get a 429 response with `Retry-After`.",
    access: scopes,
    campaignKeys: true,
    answers: { 200: [LimitsBody, "The limits and their current usage."] },
  }).handle(async ({ caller }) => toLimitsBody(await limiter.state(caller), fixed, caller.campaignIds === null));
}
