import { CallDetailBody, CallDetailOrReferenceBody, GetAudioQuery, SpeechBody } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { allRoles, type Caller, supervisors } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { storageUnavailable } from "../platform/errors.ts";
import { sendBytes, sendBytesOrLink } from "../platform/http/body/send-bytes.ts";
import { route } from "../platform/http/route.ts";
import type { Api } from "../platform/http/server.ts";
import { requireDownload } from "../workspaces/agent-downloads.ts";
import { downloadForbidden } from "../workspaces/errors.ts";
import { findCallDetail, toCallDetailBody, toSpeechBody, toVisibleBody } from "./call/call-detail.ts";
import { findVisibleCall } from "./call/find-call.ts";
import {
  audioLost,
  callFailed,
  callNotFound,
  callNotReady,
  callReady,
  originalErased,
  originalForbidden,
} from "./errors.ts";
import { openPlayback, openRecording, openWaveform, readTurns } from "./playback/open-audio.ts";
import { isPlaybackRecorded, recordPlayback } from "./playback/record-playback.ts";
import { requireOriginal } from "./playback/require-original.ts";
import { retryPreparation } from "./prepare/retry-preparation.ts";

const visible = { tag: "Calls", access: ["read"], roles: allRoles, campaignKeys: true } as const;
const ofAudio = [callNotFound, callNotReady, callFailed, audioLost];
const fileAnswers = (type: string, what: string) => ({
  200: { description: `The ${what}.`, files: [type] },
  206: { description: "The requested byte range.", files: [type] },
});

/** Routes of one call. Imports are in import/routes.ts, updates in change/routes.ts. */
export function callRoutes(api: Api, app: App): void {
  statusRoutes(api, app);
  audioRoutes(api, app);
}

function statusRoutes(api: Api, app: App): void {
  route(api, {
    ...visible,
    method: "GET",
    path: "/calls/:id",
    id: "getCall",
    summary: "Get a call",
    description:
      "Returns the call with its recording, talk time, preparation status and, if preparation failed, the reason.",
    answers: { 200: [CallDetailBody, "The call."] },
    errors: [callNotFound],
  }).handle(async ({ caller, params: { id }, about }) => {
    about.callId = id.slice(0, 36);
    return toCallDetailBody(await inWorkspace(app, caller.workspaceId, (tx) => findCallDetail(tx, caller, id)));
  });

  route(api, {
    method: "POST",
    path: "/calls/:id/prepare",
    id: "prepareCall",
    tag: "Calls",
    summary: "Retry preparation",
    description: "Queues a failed call to be prepared again.",
    access: ["import", "manage"],
    roles: supervisors,
    campaignKeys: true,
    answers: {
      202: [
        CallDetailOrReferenceBody,
        "The call is queued, or was already waiting. API keys without the `read` scope get only its id and status.",
      ],
    },
    errors: [callNotFound, callReady],
  }).handle(async ({ caller, params: { id }, about }) => {
    about.callId = id.slice(0, 36);
    return toVisibleBody(caller, await retryPreparation(app, caller, id));
  });
}

function audioRoutes(api: Api, app: App): void {
  const findRequestedCall = (caller: Caller, id: string) =>
    inWorkspace(app, caller.workspaceId, (tx) => findVisibleCall(tx, caller, id));

  route(api, {
    ...visible,
    method: "GET",
    path: "/calls/:id/audio",
    id: "getAudio",
    summary: "Listen to a call",
    description:
      "Returns the playback copy, which every browser can play, or the original recording. Where the sound is masked, the original needs a permission of its own (docs/transcripts.md). Supports byte ranges (206). If the server redirects playback to the object store (`PLAYBACK=redirect`), API keys get a 302 with a link to this recording that is valid for at most five minutes; do not send the API key to that link. Signed-in users always get the audio directly. The audit log records one entry per API key or user, call and 30 minutes.",
    download: true,
    exposeHeadRoute: false,
    query: GetAudioQuery,
    answers: {
      ...fileAnswers("audio/mp4", "audio"),
      302: {
        description: "The `Location` header contains a link to the audio that is valid for at most five minutes.",
        location: "A presigned link to the object store.",
      },
    },
    errors: [...ofAudio, downloadForbidden, originalForbidden, originalErased],
  }).handle(async (request, reply) => {
    const { caller, params, query, about } = request;
    const { id } = params;
    about.callId = id.slice(0, 36);
    const form = query.original ? "original" : "playback";
    const { call, recorded } = await inWorkspace(app, caller.workspaceId, async (tx) => {
      const call = await findVisibleCall(tx, caller, id);
      if (form === "original") {
        await requireDownload(tx, caller);
        await requireOriginal(tx, caller, call);
      }
      return { call, recorded: await isPlaybackRecorded(tx, caller, { callId: id, form }) };
    });
    const sound = form === "original" ? openRecording(app, call) : openPlayback(app, call);
    const beforeSending = async () => {
      if (!recorded) await recordPlayback(app, caller, { callId: call.id, form });
    };
    // The console's content security policy allows requests to its own origin only.
    const send = caller.kind === "session" ? sendBytes : sendBytesOrLink;
    return send(request, reply, sound, beforeSending);
  });

  route(api, {
    ...visible,
    method: "GET",
    path: "/calls/:id/waveform",
    id: "getWaveform",
    summary: "Get the waveform of a call",
    description: "Returns 50 points per second and channel, in the format described in docs/waveform.md.",
    download: true,
    exposeHeadRoute: false,
    answers: fileAnswers("application/octet-stream", "waveform"),
    errors: ofAudio,
  }).handle(async (request, reply) => {
    const { caller, params, about } = request;
    about.callId = params.id.slice(0, 36);
    return sendBytes(request, reply, openWaveform(app, await findRequestedCall(caller, params.id)));
  });

  route(api, {
    ...visible,
    method: "GET",
    path: "/calls/:id/speech",
    id: "getSpeech",
    summary: "Get the speech turns of a call",
    description:
      "Returns the start and end of each turn of speech, by side, in milliseconds from the start of the recording.",
    exposeHeadRoute: false,
    answers: { 200: [SpeechBody, "The speech turns."] },
    errors: [...ofAudio, storageUnavailable],
  }).handle(async ({ caller, params: { id }, about }) => {
    about.callId = id.slice(0, 36);
    const call = await findRequestedCall(caller, id);
    return toSpeechBody(call, await readTurns(app, call));
  });
}
