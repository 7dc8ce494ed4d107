import type { ChangeUser, InvitationBody, InviteUser, ListUsers, UserBody } from "@hearback/sdk";
import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useChange } from "../ui/use-change.ts";

const all = ["users"];

/** What the console asks about people. */
export const userQueries = {
  list: (filter: Pick<ListUsers, "search" | "role" | "status"> = {}) =>
    infiniteQueryOptions({
      queryKey: [...all, "list", filter],
      queryFn: ({ pageParam, signal }) => client.users.page({ ...filter, limit: 50, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  /** Somebody whose calls could be imported. */
  anAgent: queryOptions({
    queryKey: [...all, "agent"],
    queryFn: ({ signal }) => client.users.page({ role: "agent", status: "active", limit: 1, signal }),
  }),
};

/** How somebody hears of it: by mail, by a link that is handed over, or not at all. */
export type Way = "mail" | "link" | "none";
export type Invite = Pick<InviteUser, "email" | "name" | "role"> & { readonly way: Way };

export async function invite({ way, ...person }: Invite) {
  const user = await client.users.invite({ ...person, sendInviteEmail: way === "mail" });
  const invitation = way === "link" ? await client.users.sendInvitation(user.id, { byMail: false }) : undefined;
  return { user, invitation };
}

/** A link that was made is shown, even if its form was closed meanwhile. */
type Show = (invitation: InvitationBody, name: string) => void;

export const useInvite = (show: Show) =>
  useChange(all, invite, ({ invitation }, { name }) => invitation && show(invitation, name));

export const useSendInvitation = (show: Show) =>
  useChange(
    all,
    ({ user, byMail }: { readonly user: UserBody; readonly byMail: boolean }) =>
      client.users.sendInvitation(user.id, { byMail }),
    (invitation, { user }) => invitation.link && show(invitation, user.name),
  );

export const useChangeUser = () =>
  useChange(all, ({ id, ...change }: ChangeUser & { readonly id: string }) => client.users.change(id, change));

/** For who changed many people one by one. */
export function useRefreshUsers() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: all });
}
