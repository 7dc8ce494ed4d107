import { revokeKeysOfUser } from "./access/keys/revoke-keys.ts";
import { removeAccessOfErased } from "./access/remove-access.ts";
import { endPasswordSessions } from "./access/sessions/end-password-sessions.ts";
import { endSessionsOfDeactivated } from "./access/sessions/end-sessions.ts";
import { skipErased } from "./plans/assignments/skip-erased.ts";
import { skipMoved } from "./plans/assignments/skip-for-other-agents.ts";
import { noteReady } from "./plans/draws/note-ready.ts";
import { removeAgentFromDraws, removeReviewer } from "./plans/remove-person.ts";
import type { Handler } from "./platform/app.ts";
import { markErasedCalls } from "./reviews/calibrations/mark-erased-calls.ts";
import { removeParticipant } from "./reviews/calibrations/remove-participant.ts";
import { removeArbiterOfDisputes } from "./reviews/disputes/remove-arbiter.ts";
import { becomeDrawn, deleteAbandonedDrafts, keepDraftsAsPicked } from "./reviews/write/change-selection.ts";
import { removeErasedCalls } from "./reviews/write/remove-erased-calls.ts";
import { removeArbiter } from "./scorecards/remove-arbiter.ts";
import { removeTranscripts } from "./transcripts/store/remove-transcripts.ts";
import { removeMembers } from "./users/remove-members.ts";

/**
 * Everything that a domain changes in its own tables because something happened in another one, in the same transaction. Those of one
 * hook run in this order, which is the order of locks: calibrations, reviews, plans, assignments.
 */
export const handlers: readonly Handler[] = [
  // A workspace turned passwords off.
  endPasswordSessions,
  // A team was deleted.
  removeMembers,
  // A user was deactivated, became an agent, or was erased.
  endSessionsOfDeactivated,
  revokeKeysOfUser,
  removeParticipant,
  removeArbiterOfDisputes,
  removeArbiter,
  removeReviewer,
  removeAgentFromDraws,
  removeAccessOfErased,
  // A call became ready, was given to another agent, or was erased.
  noteReady,
  skipMoved,
  removeTranscripts,
  removeErasedCalls,
  skipErased,
  markErasedCalls,
  // A draw decided about reviews.
  keepDraftsAsPicked,
  becomeDrawn,
  deleteAbandonedDrafts,
];
