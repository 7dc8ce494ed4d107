import {
  CallDetailOrReferenceBody,
  CorrectTranscriptBody,
  GetTranscriptQuery,
  TranscriptBody,
  TranscriptionUsageBody,
  TranscriptionUsageQuery,
} from "@hearback/contract";
import type { FastifyReply } from "fastify";
import { toVisibleBody } from "../calls/call/call-detail.ts";
import { callFailed, callNotFound, callNotReady, originalErased } from "../calls/errors.ts";
import { isPlaybackRecorded, recordPlayback } from "../calls/playback/record-playback.ts";
import { actorOf } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { allRoles, type Caller, reviewers, supervisors } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { storageUnavailable } from "../platform/errors.ts";
import { route } from "../platform/http/route.ts";
import type { Api } from "../platform/http/server.ts";
import { transcriptionNotConfigured } from "../workspaces/errors.ts";
import { correctTranscript } from "./correct-transcript.ts";
import { correctionLimitReached, transcriptChanged, transcriptionOff, transcriptNotFound } from "./errors.ts";
import { type FoundTranscript, findTranscript } from "./read/find-transcript.ts";
import { findUsage } from "./read/find-usage.ts";
import { toPlainText, toVtt } from "./read/format-transcript.ts";
import { speakerNames, toTranscriptBody } from "./read/transcript-body.ts";
import { chooseFormat, mediaTypes } from "./recognise/choose-format.ts";
import { requestTranscription } from "./recognise/request-transcription.ts";

const tag = "Transcripts";

export function transcriptRoutes(api: Api, app: App): void {
  wordRoutes(api, app);
  requestRoutes(api, app);
}

/** The audit log records one entry per caller, call and 30 minutes, as for playback. */
async function recordReading(app: App, caller: Caller, callId: string): Promise<void> {
  const reading = { callId, form: "transcript" } as const;
  const recorded = await inWorkspace(app, caller.workspaceId, (tx) => isPlaybackRecorded(tx, caller, reading));
  if (!recorded) await recordPlayback(app, caller, reading);
}

function wordRoutes(api: Api, app: App): void {
  route(api, {
    method: "GET",
    path: "/calls/:id/transcript",
    id: "getTranscript",
    tag,
    summary: "Read the transcript of a call",
    description:
      "Returns what was said, in order of time: as JSON with the time of every word, as subtitles (`text/vtt`) or as plain text. Corrections by people are applied. If the call has no transcript, the 404 says why. The audit log records one entry per API key or user, call and 30 minutes.",
    access: ["read"],
    roles: allRoles,
    campaignKeys: true,
    exposeHeadRoute: false,
    query: GetTranscriptQuery,
    answers: { 200: [TranscriptBody, "The transcript.", Object.values(mediaTypes)] },
    errors: [callNotFound, transcriptNotFound, storageUnavailable],
  }).handle(async ({ caller, params: { id }, query, headers, about }, reply) => {
    about.callId = id.slice(0, 36);
    const format = query.format ?? chooseFormat(headers.accept);
    const found = await findTranscript(app, caller, id);
    await recordReading(app, caller, found.call.id);
    reply.header("vary", "accept");
    return format === "json" ? toTranscriptBody(found) : sendText(reply, found, format);
  });

  route(api, {
    method: "PATCH",
    path: "/calls/:id/transcript",
    id: "correctTranscript",
    tag,
    summary: "Correct a transcript",
    description:
      "Corrects words. What the engine understood stays, and who corrected it and when is kept. A correction that contains a card number or something else that is masked in the campaign is refused (422).",
    access: ["review"],
    roles: reviewers,
    campaignKeys: true,
    body: CorrectTranscriptBody,
    answers: { 200: [TranscriptBody, "The corrected transcript."] },
    errors: [callNotFound, transcriptNotFound, transcriptChanged, correctionLimitReached, storageUnavailable],
  }).handle(async ({ caller, params: { id }, body: { transcript_id: transcriptId, corrections }, about }) => {
    about.callId = id.slice(0, 36);
    const corrected = await correctTranscript(app, caller, id, { transcriptId, corrections });
    // The response contains the whole transcript.
    await recordReading(app, caller, corrected.call.id);
    return toTranscriptBody(corrected);
  });
}

const endings = { vtt: "vtt", text: "txt" } as const;

async function sendText(reply: FastifyReply, { call, turns }: FoundTranscript, format: keyof typeof endings) {
  const write = format === "vtt" ? toVtt : toPlainText;
  return reply
    .type(`${mediaTypes[format]}; charset=utf-8`)
    .header("content-disposition", `inline; filename="${call.id}.${endings[format]}"`)
    .send(await write(turns, speakerNames(call)));
}

function requestRoutes(api: Api, app: App): void {
  route(api, {
    method: "POST",
    path: "/calls/:id/transcribe",
    id: "transcribeCall",
    tag,
    summary: "Request a transcript",
    description:
      "Queues a call to be transcribed: one whose transcription failed, one from before transcription was turned on, or one that shall be transcribed again. A new transcript replaces the former one and its corrections when it is done.",
    access: ["import", "manage"],
    roles: supervisors,
    campaignKeys: true,
    answers: {
      202: [
        CallDetailOrReferenceBody,
        "The call is queued, or was already waiting. API keys without the `read` scope get only its id and status.",
      ],
    },
    errors: [callNotFound, callNotReady, callFailed, transcriptionOff, transcriptionNotConfigured, originalErased],
  }).handle(async ({ caller, params: { id }, about }) => {
    about.callId = id.slice(0, 36);
    return toVisibleBody(caller, await requestTranscription(app, caller, id, actorOf(caller)));
  });

  route(api, {
    method: "GET",
    path: "/transcription/usage",
    id: "getTranscriptionUsage",
    tag,
    summary: "Get the usage of transcription",
    description:
      "Returns the minutes of speech that were sent to the engine on each of the last days (UTC), newest first, and the quota. Days without any are left out.",
    access: ["read", "manage"],
    roles: supervisors,
    query: TranscriptionUsageQuery,
    answers: { 200: [TranscriptionUsageBody, "The usage."] },
  }).handle(({ caller: { workspaceId }, query: { days } }) =>
    inWorkspace(app, workspaceId, (tx) => findUsage(app, tx, workspaceId, days)),
  );
}
