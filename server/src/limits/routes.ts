import { LimitsBody, metadataLimits, scopes } from "@hearback/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../platform/app.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import { type Api, jsonBodyBytes } from "../platform/http/server.ts";
import { mostEndpoints } from "../webhooks/list-endpoints.ts";
import type { Gate } from "./gate.ts";
import { toLimitsBody } from "./limits-body.ts";
import { overLimit } from "./over-limit.ts";

/** Refuses a request that is over a limit, before any of its body is read. Every answer says how much is left. */
export async function passGate(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const isUpload = request.routeOptions.config.upload === true;
  const uploadBytes = Number(request.headers["content-length"] ?? 0) || 0;
  const entering = gate.enter(request.caller, isUpload ? { uploadBytes } : "request");
  const { policy, state, refusedBy, leave } = entering instanceof Promise ? await entering : entering;
  if (policy) reply.header("ratelimit-policy", policy).header("ratelimit", state);
  if (refusedBy) throw overLimit(refusedBy);
  if (!isUpload) return;
  // Also when the client hangs up, of which nobody else is told; it may have done so while the limits were read.
  if (reply.raw.destroyed) leave(undefined);
  else reply.raw.once("close", () => leave(request.importedBytes));
}

export function limitRoutes(api: Api, app: App, gate: Gate): void {
  const { recordings, timeouts } = app.config;
  const fixed: LimitsBody["interface"] = {
    recording_bytes: recordings.maxBytes,
    json_body_bytes: jsonBodyBytes,
    metadata_bytes: metadataLimits.bytes,
    metadata_entries: metadataLimits.entries,
    metadata_key_characters: metadataLimits.key,
    metadata_value_characters: metadataLimits.value,
    page_size: 500,
    webhooks_per_workspace: mostEndpoints,
    request_seconds: timeouts.requestMs / 1000,
    body_bytes_per_second: timeouts.bodyMinBytesPerSecond,
    body_grace_seconds: timeouts.bodyGraceMs / 1000,
  };

  api.get(
    "/limits",
    {
      config: { access: scopes, campaignKeys: true },
      schema: {
        operationId: "getLimits",
        summary: "What may be asked for, and how much of it is left",
        description:
          "The limits of this key and of its workspace with their use at this moment, and those of the interface. Every answer tells the same of its own request in the headers `RateLimit-Policy` and `RateLimit`; over a limit it is 429, and `Retry-After` says when to try again.",
        tags: ["Limits"],
        response: {
          200: LimitsBody.describe("What holds for this key at this moment."),
          ...errorAnswers(401, 500, 503),
        },
      },
    },
    async (request) => toLimitsBody(await gate.look(request.caller), fixed),
  );
}
