import type { Role, UserBody } from "@hearback/sdk";

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

export type PersonAction = "change" | "team" | "invitation" | "sessions" | "unlink" | "deactivate";

/** Actions the signed-in user may take. Administrators choose the team with "change". */
export function actionsFor(reader: Reader, user: Pick<UserBody, "id" | "role" | "status">): readonly PersonAction[] {
  const isOneself = user.id === reader.id;
  const mayInvite = user.status !== "deactivated" && !isOneself && invitable(reader.role).includes(user.role);
  const invitation: readonly PersonAction[] = mayInvite ? ["invitation"] : [];
  if (reader.role === "supervisor") return ["team", ...invitation];
  if (reader.role !== "admin") return [];
  const forOthers: readonly PersonAction[] = [...(reader.provider ? (["unlink"] as const) : []), "deactivate"];
  return ["change", ...invitation, "sessions", ...(isOneself ? [] : forOthers)];
}
