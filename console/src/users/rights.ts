import type { Role } from "@hearback/sdk";

export const roles = ["agent", "reviewer", "supervisor", "admin"] as const satisfies readonly Role[];

/** Roles a user may invite. Hides options only; the server enforces the rights. */
export const invitable = (reader: Role): readonly Role[] =>
  reader === "admin" ? roles : reader === "supervisor" ? ["agent", "reviewer"] : [];

/** Signed-in user. */
export interface Reader {
  readonly id: string;
  readonly role: Role;
  /** Whether an identity provider is configured. */
  readonly provider: boolean;
}

export interface Inviter {
  readonly role: Role;
  readonly mail: boolean;
}

/** A link grants access, so only administrators see one. */
export const mayShareLink = ({ role }: Inviter) => role === "admin";
