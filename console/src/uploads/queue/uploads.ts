import { isRetryable, ServiceError } from "@hearback/sdk";
import { useSyncExternalStore } from "react";
import { broadcastSession } from "../../access/session-broadcast.ts";
import { patientClient } from "../../client.ts";
import { readerZone } from "../../ui/time/reader-zone.ts";
import { inspectFile } from "../inspect-file.ts";
import { onOwner, setOwner } from "../owner.ts";
import { type Failure, openUploadQueue, type QueueParts } from "./upload-queue.ts";

/** The file was moved, changed or deleted. */
class FileUnreadable extends Error {
  override name = "FileGone";
}

/** The session could not be checked. Not an error of the file. */
class SessionUnknown extends Error {
  override name = "SessionUnknown";
}

const send: QueueParts["send"] = async ({ file, owner, resolved, signal, onProgress }) => {
  const { agent, campaign, at, metadata } = resolved;
  if (!agent || !campaign || !at) throw new Error("agent, campaign or time is missing");
  // Browsers report a missing file as a network error, so check it first.
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch((cause) => {
      throw new FileUnreadable("the file cannot be read", { cause });
    });
  // Another user may have signed in. Then nothing more is sent.
  const { user } = await patientClient.session.find({ signal }).catch((cause) => {
    throw new SessionUnknown(cause.message, { cause });
  });
  if (user.id !== owner) {
    setOwner(user.id);
    broadcastSession(user.id);
  }
  signal.throwIfAborted();
  const call = await patientClient.calls.import({
    file,
    signal,
    campaignId: campaign.id,
    agentEmail: agent.email,
    happenedAt: at,
    metadata,
    onProgress: ({ sentBytes }) => onProgress(sentBytes),
  });
  const outcome = call.status === "erased" ? "erased" : call.duplicate ? "duplicate" : "imported";
  return { kind: "done", callId: call.id, outcome };
};

function toFailure(error: unknown): Failure {
  if (error instanceof FileUnreadable) return { code: "file_gone", message: error.message, affectsAll: false };
  if (error instanceof SessionUnknown) return { ...toFailure(error.cause), affectsAll: true };
  if (!(error instanceof ServiceError)) return { code: "unexpected", message: String(error), affectsAll: false };
  const { code, message, status } = error;
  // Signed out, forbidden, over a limit, or unreachable after all retries. A 500 may be caused by the file.
  const affectsAll = status === 401 || status === 403 || (isRetryable(error) && status !== 500);
  return { code, message, affectsAll };
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/**
 * The only state outside React and the query cache: uploads must survive page changes. A reload ends them, so the
 * browser warns.
 */
export const uploads = openUploadQueue({
  send,
  toFailure,
  look: inspectFile,
  onBusy: (busy) => (busy ? window.addEventListener : window.removeEventListener)("beforeunload", warn),
});

uploads.setDefaults({ zone: readerZone() });
onOwner(uploads.setOwner);

export const useUploads = () => useSyncExternalStore(uploads.subscribe, uploads.look);
