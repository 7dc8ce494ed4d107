import { mayRetry, ServiceError } from "@hearback/sdk";
import { useSyncExternalStore } from "react";
import { tellTabs } from "../access/tabs.ts";
import { patientClient } from "../client.ts";
import { readerZone } from "../ui/reader-zone.ts";
import { lookAtFile } from "./look-at-file.ts";
import { beOwner, onOwner } from "./owner.ts";
import { type Failure, openUploadQueue, type QueueParts } from "./upload-queue.ts";

/** The file is not there any more, or not as it was when it was brought. */
class FileGone extends Error {
  override name = "FileGone";
}

/** Nobody knows who is signed in: that is no fault of the file's. */
class SessionUnknown extends Error {
  override name = "SessionUnknown";
}

const send: QueueParts["send"] = async ({ file, owner, settled, choices, signal, onProgress }) => {
  const { agent, campaign, at } = settled;
  if (!agent || !campaign || !at) throw new Error("something is missing");
  // A browser tells of a file that is gone as of a network that is down: better to know before.
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch((cause) => {
      throw new FileGone("the file cannot be read", { cause });
    });
  // Somebody else may have signed in meanwhile: then nothing more is sent, this file included.
  const { user } = await patientClient.session.find({ signal }).catch((cause) => {
    throw new SessionUnknown(cause.message, { cause });
  });
  if (user.id !== owner) {
    beOwner(user.id);
    tellTabs(user.id);
  }
  signal.throwIfAborted();
  const call = await patientClient.calls.import({
    ...{ file, signal, campaignId: campaign.id, agentEmail: agent.email, happenedAt: at, metadata: choices.metadata },
    onProgress: ({ sentBytes }) => onProgress(sentBytes),
  });
  const outcome = call.status === "erased" ? "erased" : call.duplicate ? "duplicate" : "imported";
  return { kind: "done", callId: call.id, outcome };
};

function toFailure(error: unknown): Failure {
  if (error instanceof FileGone) return { code: "file_gone", message: error.message, concernsAll: false };
  if (error instanceof SessionUnknown) return { ...toFailure(error.cause), concernsAll: true };
  if (!(error instanceof ServiceError)) return { code: "unexpected", message: String(error), concernsAll: false };
  const { code, message, status } = error;
  // Signed out, not allowed, over a limit, or away for longer than the client has patience. A defect may be the file's.
  const concernsAll = status === 401 || status === 403 || (mayRetry(error) && status !== 500);
  return { code, message, concernsAll };
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/**
 * The one thing of the console that lives outside of React and of the query cache: uploads go on while somebody looks at
 * another page, which takes every component away. A reload ends them, of which the browser warns.
 */
export const uploads = openUploadQueue({
  ...{ send, toFailure, look: lookAtFile },
  onBusy: (busy) => (busy ? window.addEventListener : window.removeEventListener)("beforeunload", warn),
});

uploads.choose({ zone: readerZone() });
onOwner(uploads.belongTo);

export const useUploads = () => useSyncExternalStore(uploads.subscribe, uploads.look);
