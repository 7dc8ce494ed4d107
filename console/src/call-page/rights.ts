import type { SessionBody } from "@hearback/sdk";

/** Allowed actions on a call. Hides controls only; the server enforces the rights. */
export interface Rights {
  readonly correct: boolean;
  readonly seeChanges: boolean;
  readonly erase: boolean;
  readonly download: boolean;
  /** Review calls, other than their own, and write notes. */
  readonly review: boolean;
}

export const rightsOf = ({ user: { role }, can_download }: SessionBody): Rights => ({
  correct: role === "supervisor" || role === "admin",
  seeChanges: role !== "agent",
  erase: role === "admin",
  download: can_download,
  review: role !== "agent",
});
