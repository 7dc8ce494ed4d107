import type { ListUsers } from "@hearback/sdk";
import { type SearchParams, uuid } from "../search-params.ts";
import { roles } from "./rights.ts";

export const statuses = ["active", "invited", "deactivated"] as const;

export type PeopleFilter = Pick<ListUsers, "search" | "role" | "status" | "teamId">;

/** Filters from the URL. Invalid values are dropped. */
export function readPeopleFilter(params: SearchParams): PeopleFilter {
  const search = typeof params.search === "string" ? params.search.trim().slice(0, 100) : "";
  const role = roles.find((one) => one === params.role);
  const status = statuses.find((one) => one === params.status);
  const teamId = typeof params.team === "string" && uuid.test(params.team) ? params.team : undefined;
  return { ...(search && { search }), ...(role && { role }), ...(status && { status }), ...(teamId && { teamId }) };
}
