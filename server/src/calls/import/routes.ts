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
import { campaignArchived, campaignNotFound } from "../../campaigns/errors.ts";
import type { App } from "../../platform/app.ts";
import { supervisors } from "../../platform/caller.ts";
import { fieldsInvalid, partMissing, recordingTooLarge } from "../../platform/errors.ts";
import { type Form, type FormShape, readForm } from "../../platform/http/form/form.ts";
import { issuesIn, issuesSoFar, parseFields } from "../../platform/http/parse.ts";
import { toAppError } from "../../platform/http/problem.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { agentNotFound, userNotAgent } from "../../users/errors.ts";
import { seesUsers } from "../../users/sees-users.ts";
import { toCallBody, toErasedCallBody } from "../call/call-body.ts";
import { recordingErrors } from "../errors.ts";
import { type IncomingRecording, inspectRecording, openRecordingReceiver } from "../objects/receive-recording.ts";
import { dryRunImport } from "./dry-run-import.ts";
import { type CampaignAndAgent, findCampaignAndAgent, rejectTooEarly } from "./find-campaign-and-agent.ts";
import { type ImportedCall, importCall } from "./import-call.ts";
import { openImportRefusals } from "./import-refusals.ts";

const texts = { campaign_id: 1024, conversation_timestamp: 1024, agent_email: 2048, metadata: metadataLimits.bytes };
/** Allowance for everything in the form except the recording: text parts, headers and unknown parts. */
const envelopeBytes = 1024 * 1024;
/** An error response waits at most this long for the cleanup of stored data. */
const discardTimeoutMs = 2_000;

export function importRoutes(api: Api, app: App): void {
  const receiveRecording = openRecordingReceiver(app);
  const { maxBytes } = app.config.recordings;
  const { bodyGraceMs: graceMs, bodyMinBytesPerSecond: minBytesPerSecond } = app.config.timeouts;
  const tooLarge = () => recordingTooLarge(maxBytes);

  const refusals = openImportRefusals(app);
  /** Campaign ids of rejected requests. */
  const rejectedCampaigns = new WeakMap<FastifyRequest, string>();
  api.addHook("onClose", () => refusals.close());
  api.addHook("onResponse", async (request, reply) => {
    const { caller, refusedWith: code } = request;
    const isDryRun = (request.query as Record<string, unknown>).dry_run === "true";
    // Counts neither unauthenticated requests nor server errors (5xx).
    if (!caller || !code || isDryRun || reply.statusCode < 400 || reply.statusCode > 499) return;
    refusals.add({ workspaceId: caller.workspaceId, code, campaignId: rejectedCampaigns.get(request) });
  });

  // readForm() parses the request stream itself, whatever its content type.
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("*", (_request, _body, done) => done(null));

  route(api, {
    method: "POST",
    path: "/calls/audio",
    id: "importCall",
    tag: "Calls",
    summary: "Import a call",
    description:
      "Imports one recorded call. The parts can come in any order. Imports are idempotent: the same call (workspace, campaign, agent, conversation time and bytes) is stored once, and repeated imports return it with `duplicate: true`. With `dry_run=true`, everything is validated and nothing is stored.",
    access: ["import"],
    roles: supervisors,
    campaignKeys: true,
    upload: true,
    query: ImportCallQuery,
    form: ImportCallForm,
    onRequest: async (request) => {
      if (Number(request.headers["content-length"] ?? 0) > maxBytes + envelopeBytes) throw tooLarge();
    },
    answers: { 200: [CallBody, "The call, imported by this request or an earlier one."] },
    errors: [campaignNotFound, campaignArchived, agentNotFound, userNotAgent, ...Object.values(recordingErrors)],
  }).handle(async (request) => {
    const { caller, query } = request;
    const wrongQuery = issuesIn(ImportCallQuery, query);
    const dryRun = query.dry_run === "true";
    const incoming = dryRun ? undefined : receiveRecording(caller.workspaceId);
    const recording = incoming ?? inspectRecording(app);
    let fields: ImportCallFields | undefined;
    let target: Promise<CampaignAndAgent> | undefined;
    const find = async ({ campaign_id, agent_email, conversation_timestamp }: ImportCallFields) => {
      const found = await findCampaignAndAgent(app, caller, campaign_id, agent_email, {
        namesRoles: seesUsers(caller),
      });
      rejectTooEarly(found, new Date(conversation_timestamp * 1000));
      return found;
    };

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
          const wrong = [...wrongQuery, ...soFar.wrong, ...issuesSoFar(ImportCallFields, soFar.texts)];
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
        : await dryRunImport(app, caller, { ...input, recording });
      noteImport(app, request, imported, dryRun);
      const { call, duplicate, erased } = imported;
      const notes = { duplicate, warnings: warningsOf(form, imported, found), dryRun };
      return erased ? toErasedCallBody(call, notes) : toCallBody(call, notes);
    } catch (error) {
      app.metrics.imports.inc({ outcome: dryRun ? "dry_run" : toAppError(error).code });
      if (fields) rejectedCampaigns.set(request, fields.campaign_id);
      if (incoming) await discard(incoming, request.log);
      throw error;
    }
  });
}

/** Waits only briefly, so that the client gets the original error soon. The sweeper deletes what is left. */
async function discard(recording: IncomingRecording, log: FastifyBaseLogger): Promise<void> {
  const discarded = recording
    .discard()
    .catch((err) => log.warn({ err }, "could not discard the recording; the sweeper will delete it"));
  await Promise.race([discarded, sleep(discardTimeoutMs)]);
}

const parseForm = (form: Form, wrongQuery: readonly Issue[]) =>
  parseFields(ImportCallFields, form.texts, {
    missing: partMissing,
    alsoWrong: [...wrongQuery, ...form.wrong],
    alsoMissing: form.hasFile ? [] : ["file"],
    unknown: form.unknown,
  });

function noteImport(app: App, request: FastifyRequest, imported: ImportedCall, dryRun: boolean): void {
  const { call, duplicate, recording } = imported;
  const outcome = dryRun ? "dry_run" : outcomeOf(imported);
  app.metrics.imports.inc({ outcome });
  if (!duplicate && !dryRun) {
    app.metrics.importedBytes.inc(recording.bytes);
    request.importedBytes = recording.bytes;
  }
  Object.assign(request.about, { callId: call.id, bytes: recording.bytes, duplicate, ...(dryRun && { dryRun }) });
}

function outcomeOf({ erased, restored, duplicate }: ImportedCall): string {
  if (erased) return "erased";
  if (restored) return "restored";
  return duplicate ? "duplicate" : "imported";
}

function warningsOf(form: Form, { recording, restored }: ImportedCall, target: CampaignAndAgent): CallBody["warnings"] {
  const unknown = form.unknown.map((part) => ({
    code: "unknown_part",
    part,
    detail: `The part "${part}" is unknown and was ignored.`,
  }));
  const unfinished = {
    code: "recording_header_unfinished",
    part: "file",
    detail: "The recorder never completed the file header. The length was taken from the data received.",
  };
  const deactivated = {
    code: "agent_deactivated",
    part: "agent_email",
    detail: "The agent is deactivated. The call was imported; check that the agent is correct.",
  };
  const replaced = {
    code: "recording_restored",
    part: "file",
    detail:
      "The stored recording of this call was missing or corrupt. This upload replaced it, and the call will be prepared again.",
  };
  return [
    ...unknown,
    ...(recording.unfinished ? [unfinished] : []),
    ...(target.agentDeactivated ? [deactivated] : []),
    ...(restored ? [replaced] : []),
  ];
}
