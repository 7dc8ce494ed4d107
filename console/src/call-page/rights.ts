import type { SessionBody } from "@hearback/sdk";

/** Allowed actions on a call. Hides controls only; the server enforces the rights. */
export interface Rights {
  readonly correct: boolean;
  readonly seeChanges: boolean;
  readonly erase: boolean;
  readonly download: boolean;
  /** Hear and download originals of calls whose sound is masked. */
  readonly originals: boolean;
  readonly writeNotes: boolean;
  /** Correct words of a transcript. */
  readonly correctWords: boolean;
  /** Review any call, other than their own. */
  readonly review: boolean;
}

export const rightsOf = ({
  user: { role },
  can_download,
  can_hear_originals,
  can_pick_calls,
}: SessionBody): Rights => ({
  correct: role === "supervisor" || role === "admin",
  seeChanges: role !== "agent",
  erase: role === "admin",
  download: can_download,
  originals: can_hear_originals,
  writeNotes: role !== "agent",
  correctWords: role !== "agent",
  review: can_pick_calls,
});
