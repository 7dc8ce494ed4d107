import type { UserBody, UserSignInMethod } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { AppUser } from "../platform/database/tables.ts";

export type UserRow = Selectable<AppUser>;
export type User = UserRow & { readonly signInMethods: readonly UserSignInMethod[] };

export function toUserBody(user: User): UserBody {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role as UserBody["role"],
    status: user.deactivatedAt ? "deactivated" : (user.status as UserBody["status"]),
    invitation: user.invitation as UserBody["invitation"],
    sign_in_methods: [...user.signInMethods],
    team_id: user.teamId,
    listens_to_originals: user.listensToOriginals,
    created_at: user.createdAt.toISOString(),
  };
}

/** For callers who may create agents but not manage users. */
export function asCreatedAgent({
  sign_in_methods: _,
  team_id: _team,
  listens_to_originals: _originals,
  ...user
}: UserBody): UserBody {
  return user;
}
