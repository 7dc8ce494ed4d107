import { CallDetailBody, SpeechBody } from "@hearback/contract";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import { anybody, supervisors } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import { sendBytes, sendBytesOrLink } from "../platform/http/send-bytes.ts";
import type { Api } from "../platform/http/server.ts";
import { findCallDetail, toCallDetailBody, toSpeechBody } from "./call-detail.ts";
import { findKnownCall } from "./find-call.ts";
import { isListening, noteListening } from "./note-listening.ts";
import { openPlayback, openRecording, openWaveform, readTurns } from "./open-audio.ts";
import { prepareAgain } from "./prepare-again.ts";

const params = z.object({ id: z.uuid() });
const tags = ["Calls"];
const binary = (mediaType: string, description: string) => ({
  description,
  content: { [mediaType]: { schema: z.string().meta({ format: "binary" }) } },
});

const atLocation = z.null().meta({
  description: "The sound is at this address, for at most five minutes.",
  headers: { location: { type: "string", description: "A link to the object store." } },
});

/** What can be asked of a call that is there. How it gets there is in import-routes.ts, how it is corrected in change-routes.ts. */
export function callRoutes(api: Api, app: App): void {
  const callOf = (request: FastifyRequest) => {
    const { caller } = request;
    const { workspaceId } = caller;
    const { id } = request.params as { id: string };
    request.about = { workspaceId, callId: id.slice(0, 36) };
    return { caller, workspaceId, id };
  };
  const findIt = (request: FastifyRequest) => {
    const { caller, workspaceId, id } = callOf(request);
    return inWorkspace(app, workspaceId, (tx) => findKnownCall(tx, caller, id));
  };

  api.get(
    "/calls/:id",
    {
      config: { access: ["read"], roles: anybody, campaignKeys: true },
      schema: {
        ...{ operationId: "getCall", summary: "Everything about a call", tags, params },
        description: "What the recording is, who speaks how much, how far its preparation came and why it failed.",
        response: { 200: CallDetailBody.describe("The call."), ...errorAnswers(401, 403, "call_not_found", 500, 503) },
      },
    },
    async (request) => {
      const { caller, workspaceId, id } = callOf(request);
      return toCallDetailBody(await inWorkspace(app, workspaceId, (tx) => findCallDetail(tx, caller, id)));
    },
  );

  api.post(
    "/calls/:id/prepare",
    {
      config: { access: ["import", "manage"], roles: supervisors, campaignKeys: true },
      schema: {
        ...{ operationId: "prepareCall", summary: "Run again what failed", tags, params },
        description: "Puts a call that failed back among those to be prepared.",
        response: {
          202: CallDetailBody.describe("It will be prepared, or waits for it already."),
          ...errorAnswers(401, 403, "call_not_found", "call_ready", 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { caller, id } = callOf(request);
      return reply.code(202).send(toCallDetailBody(await prepareAgain(app, caller, id)));
    },
  );

  const whole = { exposeHeadRoute: false, config: { access: ["read"] as const, roles: anybody, campaignKeys: true } };
  const errors = errorAnswers(
    401,
    403,
    "call_not_found",
    "call_not_ready",
    "call_failed",
    410,
    416,
    500,
    503,
    "storage_unavailable",
  );

  api.get(
    "/calls/:id/audio",
    {
      ...whole,
      schema: {
        ...{ operationId: "getAudio", summary: "Listen to a call", tags, params },
        description:
          "The playback copy, which every browser plays, or the recording as it came. Byte ranges are answered (206). Where the installation has its listeners sent to the object store (`PLAYBACK=redirect`), the answer is 302 with a link that opens this one recording for at most five minutes; do not send the key along. Who is signed in gets the sound from here. It is noted in the audit log, once for all requests of a key or a person within 30 minutes.",
        querystring: z.object({
          original: z.enum(["true", "false"]).optional().meta({ description: "true: the recording as it came." }),
        }),
        response: {
          200: binary("audio/mp4", "The sound."),
          206: binary("audio/mp4", "A part of it."),
          302: atLocation,
          ...errors,
        },
      },
    },
    async (request, reply) => {
      const { caller, workspaceId, id } = callOf(request);
      const form = (request.query as { original?: string }).original === "true" ? "original" : "playback";
      const { call, listening } = await inWorkspace(app, workspaceId, async (tx) => ({
        call: await findKnownCall(tx, caller, id),
        listening: await isListening(tx, caller, { callId: id, form }),
      }));
      const sound = form === "original" ? openRecording(app, call) : openPlayback(app, call);
      const beforeSending = async () => {
        if (!listening) await noteListening(app, caller, { callId: call.id, form });
      };
      // A page may fetch from its own address alone.
      const send = caller.kind === "session" ? sendBytes : sendBytesOrLink;
      return send(request, reply, sound, beforeSending);
    },
  );

  api.get(
    "/calls/:id/waveform",
    {
      ...whole,
      schema: {
        ...{ operationId: "getWaveform", summary: "The waveform of a call", tags, params },
        description: "50 points a second and channel, in the format of docs/waveform.md.",
        response: {
          200: binary("application/octet-stream", "The waveform."),
          206: binary("application/octet-stream", "A part of it."),
          ...errors,
        },
      },
    },
    async (request, reply) => sendBytes(request, reply, openWaveform(app, await findIt(request))),
  );

  api.get(
    "/calls/:id/speech",
    {
      ...whole,
      schema: {
        ...{ operationId: "getSpeech", summary: "When somebody speaks", tags, params },
        description: "The turns of each side, in milliseconds from the beginning.",
        response: {
          200: SpeechBody.describe("The turns."),
          ...errorAnswers(
            401,
            403,
            "call_not_found",
            "call_not_ready",
            "call_failed",
            410,
            500,
            503,
            "storage_unavailable",
          ),
        },
      },
    },
    async (request) => {
      const call = await findIt(request);
      return toSpeechBody(call, await readTurns(app, call));
    },
  );
}
