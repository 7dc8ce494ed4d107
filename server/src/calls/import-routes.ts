import { setTimeout as sleep } from "node:timers/promises";
import { CallBody, ImportCallFields, ImportCallForm, metadataLimits } from "@hearback/contract";
import type { FastifyRequest } from "fastify";
import type { App } from "../platform/app.ts";
import { recordingTooLarge } from "../platform/errors.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import { type Form, type FormShape, readForm } from "../platform/http/form.ts";
import { fieldsInvalid, parseFields, wrongAmong } from "../platform/http/parse.ts";
import { toAppError } from "../platform/http/problem.ts";
import type { Api } from "../platform/http/server.ts";
import { toCallBody, toErasedCallBody } from "./call-body.ts";
import { findTarget, type Target } from "./find-target.ts";
import { type ImportedCall, importCall } from "./import-call.ts";
import { openRecordings } from "./recording.ts";

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

  // The form is taken apart here while it arrives, whatever it says it is.
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("*", (_request, _body, done) => done(null));

  api.post(
    "/calls/audio",
    {
      config: { access: ["import"] },
      schema: {
        operationId: "importCall",
        summary: "Import a call",
        description:
          "Imports one recorded call. The parts come in any order. Repeating an import is safe: the same call (workspace, campaign, agent, conversation time and bytes) is stored once and answered with `duplicate: true`.",
        tags: ["Calls"],
        consumes: ["multipart/form-data"],
        body: ImportCallForm,
        response: {
          200: CallBody.describe("The call has been imported, now or before."),
          ...errorAnswers(400, 401, 403, 404, 413, 422, 500, 503),
        },
      },
      async onRequest(request) {
        if (Number(request.headers["content-length"] ?? 0) > maxBytes + envelopeBytes) throw tooLarge();
      },
    },
    async (request) => {
      const { workspaceId } = request.caller;
      const recording = receiveRecording(workspaceId);
      let fields: ImportCallFields | undefined;
      let target: Promise<Target> | undefined;

      const shape: FormShape = {
        texts,
        file: "file",
        pace: { graceMs, minBytesPerSecond },
        maxBytes: maxBytes + envelopeBytes,
        tooLarge,
        openFile(soFar, refuse) {
          if (Object.keys(texts).every((name) => name in soFar.texts)) {
            fields = parseForm(soFar);
            target = findTarget(app, workspaceId, fields.campaign_id, fields.agent_email);
            target.catch(refuse);
          } else {
            const wrong = [...soFar.wrong, ...wrongAmong(ImportCallFields, soFar.texts)];
            if (wrong.length > 0) throw fieldsInvalid(wrong);
          }
          return recording.write;
        },
      };

      try {
        const form = await readForm(request.raw, shape);
        fields ??= parseForm(form);
        target ??= findTarget(app, workspaceId, fields.campaign_id, fields.agent_email);
        const imported = await importCall(app, request.caller, {
          target: await target,
          happenedAt: new Date(fields.conversation_timestamp * 1000),
          metadata: fields.metadata,
          recording,
        });
        noteImport(app, request, imported);
        const warnings = warningsOf(form, imported);
        if (imported.erased) return toErasedCallBody(imported.call, warnings);
        return toCallBody(imported.call, { duplicate: imported.duplicate, warnings });
      } catch (error) {
        app.metrics.imports.inc({ outcome: toAppError(error).code });
        // Should it fail, the sweeper does it; the client is to hear of the first error, and soon.
        const discarded = recording
          .discard()
          .catch((err) => request.log.warn({ err }, "recording left to the sweeper"));
        await Promise.race([discarded, sleep(discardMs)]);
        throw error;
      }
    },
  );
}

const parseForm = (form: Form) =>
  parseFields(ImportCallFields, form.texts, {
    missingCode: "part_missing",
    alsoWrong: form.wrong,
    alsoMissing: form.hasFile ? [] : ["file"],
  });

function noteImport(app: App, request: FastifyRequest, imported: ImportedCall): void {
  const { call, duplicate, erased, recording } = imported;
  app.metrics.imports.inc({ outcome: erased ? "erased" : duplicate ? "duplicate" : "imported" });
  if (!duplicate) app.metrics.importedBytes.inc(recording.bytes);
  const { workspaceId } = request.caller;
  request.about = { workspaceId, callId: call.id, bytes: recording.bytes, duplicate };
}

function warningsOf(form: Form, { recording }: ImportedCall): CallBody["warnings"] {
  const unknown = form.unknown.map((part) => ({
    code: "unknown_part",
    part,
    detail: `The part "${part}" is not known and was ignored.`,
  }));
  if (!recording.unfinished) return unknown;
  const detail = "The recorder never completed the file's header; the length was taken from what came.";
  return [...unknown, { code: "recording_header_unfinished", part: "file", detail }];
}
