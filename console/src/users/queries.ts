import type { ChangeUser, InvitationBody, InviteUser, UserBody } from "@hearback/sdk";
import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useRefreshTeams } from "../teams/queries.ts";
import { resolveTeam, type TeamChoice } from "../teams/team-choice.ts";
import { useMutationWithInvalidate } from "../ui/form/use-mutation-with-invalidate.ts";
import type { PeopleFilter } from "./people-filter.ts";

const all = ["users"];

export const userQueries = {
  list: (filter: PeopleFilter = {}) =>
    infiniteQueryOptions({
      queryKey: [...all, "list", filter],
      queryFn: ({ pageParam, signal }) => client.users.page({ ...filter, limit: 50, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  /** Any active agent, for examples. */
  anAgent: queryOptions({
    queryKey: [...all, "agent"],
    queryFn: ({ signal }) => client.users.page({ role: "agent", status: "active", limit: 1, signal }),
  }),
};

/** By email, by a link to share, or not at all. */
export type DeliveryMethod = "mail" | "link" | "none";
export type Invite = Pick<InviteUser, "email" | "name" | "role"> & { readonly delivery: DeliveryMethod };

export async function invite({ delivery, ...person }: Invite) {
  const user = await client.users.invite({ ...person, sendInviteEmail: delivery === "mail" });
  const invitation = delivery === "link" ? await client.users.sendInvitation(user.id, { byMail: false }) : undefined;
  return { user, invitation };
}

/** Shows the link even if the form was closed in the meantime. */
type Show = (invitation: InvitationBody, name: string) => void;

export const useInvite = (show: Show) =>
  useMutationWithInvalidate(all, invite, ({ invitation }, { name }) => invitation && show(invitation, name));

export const useSendInvitation = (show: Show) =>
  useMutationWithInvalidate(
    all,
    ({ user, byMail }: { readonly user: UserBody; readonly byMail: boolean }) =>
      client.users.sendInvitation(user.id, { byMail }),
    (invitation, { user }) => invitation.link && show(invitation, user.name),
  );

interface UserChange extends Omit<ChangeUser, "teamId"> {
  readonly id: string;
  readonly team?: TeamChoice;
}

export function useChangeUser() {
  const refreshTeams = useRefreshTeams();
  const change = async ({ id, team, ...fields }: UserChange) => {
    const teamId = team === undefined ? undefined : await resolveTeam(team, (name) => client.teams.create({ name }));
    return client.users.change(id, { ...fields, teamId });
  };
  return useMutationWithInvalidate(all, change, (_user, { team }) => team !== undefined && refreshTeams());
}

export const useUnlinkProvider = () => useMutationWithInvalidate(all, (id: string) => client.users.unlinkProvider(id));

/** Refetches after a batch of changes. */
export function useRefreshUsers() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: all });
}
