import type { RequestOptions, Transport } from "./transport.ts";
import type { TeamBody, TeamListBody } from "./wire.ts";

export interface SaveTeam extends RequestOptions {
  readonly name: string;
}

export function openTeams(transport: Transport) {
  return {
    /** All teams, ordered by name. */
    list: async (options: RequestOptions = {}): Promise<TeamBody[]> =>
      (await transport.json<TeamListBody>({ method: "GET", path: "/teams", ...options })).teams,
    /** Creates a team. Throws a ServiceError with code "team_exists" if the name is taken. */
    create: ({ name, signal }: SaveTeam): Promise<TeamBody> =>
      transport.json({ method: "POST", path: "/teams", body: { name }, signal }),
    rename: (id: string, { name, signal }: SaveTeam): Promise<TeamBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: { name }, signal }),
    /** Says who leads the team. null: nobody. */
    setLead: (id: string, leadId: string | null, options: RequestOptions = {}): Promise<TeamBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: { lead_id: leadId }, ...options }),
    /** Deletes a team. Its members have no team afterwards. */
    delete: (id: string, options: RequestOptions = {}): Promise<void> => transport.remove(pathOf(id), options),
  };
}
export type Teams = ReturnType<typeof openTeams>;

const pathOf = (id: string) => `/teams/${encodeURIComponent(id)}`;
