import type { UserBody } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { AppUser } from "../platform/database/tables.ts";

export type User = Selectable<AppUser>;

export function toUserBody(user: User): UserBody {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role as UserBody["role"],
    status: user.deactivatedAt ? "deactivated" : (user.status as UserBody["status"]),
    invitation: user.invitation as UserBody["invitation"],
    created_at: user.createdAt.toISOString(),
  };
}
