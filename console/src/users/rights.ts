import type { Role } from "@hearback/sdk";

export const roles = ["agent", "reviewer", "supervisor", "admin"] as const satisfies readonly Role[];

/** Whom somebody with this role may invite. The server decides; this only spares dead ends. */
export const invitable = (reader: Role): readonly Role[] =>
  reader === "admin" ? roles : reader === "supervisor" ? ["agent", "reviewer"] : [];

/** Who looks at the people. */
export interface Reader {
  readonly id: string;
  readonly role: Role;
}

/** Who invites, and whether this installation sends mail. */
export interface Inviter {
  readonly role: Role;
  readonly mail: boolean;
}

/** A link opens the workspace to whoever holds it: administrators alone get to see one. */
export const mayHandOver = ({ role }: Inviter) => role === "admin";
