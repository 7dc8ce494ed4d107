import type { Role } from "@hearback/sdk";

/** What somebody may do with a call. The server decides; this only spares dead ends. */
export interface Rights {
  readonly correct: boolean;
  readonly seeChanges: boolean;
  readonly erase: boolean;
}

export const rightsOf = (role: Role): Rights => ({
  correct: role === "supervisor" || role === "admin",
  seeChanges: role !== "agent",
  erase: role === "admin",
});
