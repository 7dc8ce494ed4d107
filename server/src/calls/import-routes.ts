import { setTimeout as sleep } from "node:timers/promises";
import {
  CallBody,
  ImportCallFields,
  ImportCallForm,
  ImportCallQuery,
  type Issue,
  metadataLimits,
} from "@hearback/contract";
import type { FastifyBaseLogger, FastifyRequest } from "fastify";
import type { App } from "../platform/app.ts";
import { supervisors } from "../platform/caller.ts";
import { recordingTooLarge } from "../platform/errors.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import { type Form, type FormShape, readForm } from "../platform/http/form.ts";
import { fieldsInvalid, parseFields, wrongAmong, wrongIn } from "../platform/http/parse.ts";
import { toAppError } from "../platform/http/problem.ts";
import type { Api } from "../platform/http/server.ts";
import { toCallBody, toErasedCallBody } from "./call-body.ts";
import { findTarget, type Target } from "./find-target.ts";
import { type ImportedCall, importCall } from "./import-call.ts";
import { openImportRefusals } from "./import-refusals.ts";
import { type IncomingRecording, lookAtRecording, openRecordings } from "./recording.ts";
import { tryImport } from "./try-import.ts";

const texts = { campaign_id: 1024, conversation_timestamp: 1024, agent_email: 2048, metadata: metadataLimits.bytes };
/** What a form may hold beside the recording: its text parts, its headers, and some parts we don't know. */
const envelopeBytes = 1024 * 1024;
/** How long a refusal waits until what was stored is gone. */
const discardMs = 5_000;

export function importRoutes(api: Api, app: App): void {
  const receiveRecording = openRecordings(app);
  const { maxBytes } = app.config.recordings;
  const { bodyGraceMs: graceMs, bodyMinBytesPerSecond: minBytesPerSecond } = app.config.timeouts;
  const tooLarge = () => recordingTooLarge(maxBytes);

  const refusals = openImportRefusals(app);
  /** The campaign that a refused request named. */
  const named = new WeakMap<FastifyRequest, string>();
  api.addHook("onClose", () => refusals.close());
  api.addHook("onResponse", async (request, reply) => {
    const { caller, refusedWith: code } = request;
    const isTrial = (request.query as Record<string, unknown>).dry_run === "true";
    // Who asked may not be known; and what is our own failure (5xx) says nothing about what was sent.
    if (!caller || !code || isTrial || reply.statusCode < 400 || reply.statusCode > 499) return;
    refusals.note({ workspaceId: caller.workspaceId, code, campaignId: named.get(request) });
  });

  // The form is taken apart here while it arrives, whatever it says it is.
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("*", (_request, _body, done) => done(null));

  api.post(
    "/calls/audio",
    {
      config: { access: ["import"], roles: supervisors, campaignKeys: true, upload: true },
      schema: {
        operationId: "importCall",
        summary: "Import a call",
        description:
          "Imports one recorded call. The parts come in any order. Repeating an import is safe: the same call (workspace, campaign, agent, conversation time and bytes) is stored once and answered with `duplicate: true`. With `dry_run=true` everything is checked and nothing is stored.",
        tags: ["Calls"],
        consumes: ["multipart/form-data"],
        querystring: ImportCallQuery,
        body: ImportCallForm,
        response: {
          200: CallBody.describe("The call has been imported, now or before."),
          ...errorAnswers("body_malformed", "part_missing", 401, 403, "campaign_not_found", "agent_not_found"),
          ...errorAnswers("recording_too_large", 422, "recording_truncated", 500, 503, "storage_unavailable"),
        },
      },
      async onRequest(request) {
        if (Number(request.headers["content-length"] ?? 0) > maxBytes + envelopeBytes) throw tooLarge();
      },
    },
    async (request) => {
      const { caller } = request;
      const query = request.query as Record<string, unknown>;
      const wrongQuery = wrongIn(ImportCallQuery, query);
      const dryRun = query.dry_run === "true";
      const incoming = dryRun ? undefined : receiveRecording(caller.workspaceId);
      const recording = incoming ?? lookAtRecording(app);
      let fields: ImportCallFields | undefined;
      let target: Promise<Target> | undefined;
      const find = ({ campaign_id, agent_email }: ImportCallFields) =>
        findTarget(app, caller, campaign_id, agent_email);

      const shape: FormShape = {
        texts,
        file: "file",
        pace: { graceMs, minBytesPerSecond },
        maxBytes: maxBytes + envelopeBytes,
        tooLarge,
        openFile(soFar, refuse) {
          if (Object.keys(texts).every((name) => name in soFar.texts)) {
            fields = parseForm(soFar, wrongQuery);
            target = find(fields);
            target.catch(refuse);
          } else {
            const wrong = [...wrongQuery, ...soFar.wrong, ...wrongAmong(ImportCallFields, soFar.texts)];
            if (wrong.length > 0) throw fieldsInvalid(wrong);
          }
          return recording.write;
        },
      };

      try {
        const form = await readForm(request.raw, shape);
        fields ??= parseForm(form, wrongQuery);
        target ??= find(fields);
        const found = await target;
        const input = {
          target: found,
          happenedAt: new Date(fields.conversation_timestamp * 1000),
          metadata: fields.metadata,
        };
        const imported = incoming
          ? await importCall(app, caller, { ...input, recording: incoming })
          : await tryImport(app, caller, { ...input, recording });
        noteImport(app, request, imported, dryRun);
        const { call, duplicate, erased } = imported;
        const notes = { duplicate, warnings: warningsOf(form, imported, found), dryRun };
        return erased ? toErasedCallBody(call, notes) : toCallBody(call, notes);
      } catch (error) {
        app.metrics.imports.inc({ outcome: dryRun ? "dry_run" : toAppError(error).code });
        if (fields) named.set(request, fields.campaign_id);
        if (incoming) await discard(incoming, request.log);
        throw error;
      }
    },
  );
}

/** Should it fail, the sweeper does it; the client is to hear of the first error, and soon. */
async function discard(recording: IncomingRecording, log: FastifyBaseLogger): Promise<void> {
  const discarded = recording.discard().catch((err) => log.warn({ err }, "recording left to the sweeper"));
  await Promise.race([discarded, sleep(discardMs)]);
}

const parseForm = (form: Form, wrongQuery: readonly Issue[]) =>
  parseFields(ImportCallFields, form.texts, {
    missingCode: "part_missing",
    alsoWrong: [...wrongQuery, ...form.wrong],
    alsoMissing: form.hasFile ? [] : ["file"],
  });

function noteImport(app: App, request: FastifyRequest, imported: ImportedCall, dryRun: boolean): void {
  const { call, duplicate, erased, recording } = imported;
  const outcome = dryRun ? "dry_run" : erased ? "erased" : duplicate ? "duplicate" : "imported";
  app.metrics.imports.inc({ outcome });
  if (!duplicate && !dryRun) {
    app.metrics.importedBytes.inc(recording.bytes);
    request.importedBytes = recording.bytes;
  }
  const { workspaceId } = request.caller;
  request.about = { workspaceId, callId: call.id, bytes: recording.bytes, duplicate, ...(dryRun && { dryRun }) };
}

function warningsOf(form: Form, { recording }: ImportedCall, target: Target): CallBody["warnings"] {
  const unknown = form.unknown.map((part) => ({
    code: "unknown_part",
    part,
    detail: `The part "${part}" is not known and was ignored.`,
  }));
  const unfinished = {
    code: "recording_header_unfinished",
    part: "file",
    detail: "The recorder never completed the file's header; the length was taken from what came.",
  };
  const deactivated = {
    code: "agent_deactivated",
    part: "agent_email",
    detail: "The agent is deactivated. The call was taken as one of before; if it is not, check who the agent was.",
  };
  return [...unknown, ...(recording.unfinished ? [unfinished] : []), ...(target.agentDeactivated ? [deactivated] : [])];
}
