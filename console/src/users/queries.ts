import type { ChangeUser, InvitationBody, InviteUser, ListUsers, UserBody } from "@hearback/sdk";
import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useMutationWithInvalidate } from "../ui/form/use-mutation-with-invalidate.ts";

const all = ["users"];

export const userQueries = {
  list: (filter: Pick<ListUsers, "search" | "role" | "status"> = {}) =>
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

export const useChangeUser = () =>
  useMutationWithInvalidate(all, ({ id, ...change }: ChangeUser & { readonly id: string }) =>
    client.users.change(id, change),
  );

export const useUnlinkProvider = () => useMutationWithInvalidate(all, (id: string) => client.users.unlinkProvider(id));

/** Refetches after a batch of changes. */
export function useRefreshUsers() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: all });
}
