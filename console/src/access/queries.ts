import type { SignIn, UseLink } from "@hearback/sdk";
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from "@tanstack/react-query";
import { client, onceClient } from "../client.ts";
import { endOthers } from "./end-others.ts";
import { forgetPerson, startAfresh } from "./forget-person.ts";
import { tellTabs } from "./tabs.ts";

/** Whoever signs in is told at once: trying again behind their back would only make the next pause longer. */
const once = onceClient.session;

const sessions = ["sessions"];

/** What the console asks about who is here. */
export const accessQueries = {
  session: queryOptions({
    queryKey: ["session"],
    async queryFn({ client: queries }) {
      const session = await client.session.find();
      // In another tab somebody else has signed in meanwhile, with the same cookie.
      const before = queries.getQueryData<typeof session>(["session"]);
      if (before && before.id !== session.id) startAfresh(queries);
      if (before?.user.id !== session.user.id) tellTabs(session.user.id);
      return session;
    },
    staleTime: 60_000,
    retry: false,
  }),
  options: queryOptions({ queryKey: ["session", "options"], queryFn: () => client.session.options() }),
  /** Looked at once: a link that was used meanwhile says so when it is used. */
  link: (token: string) =>
    queryOptions({
      queryKey: ["session", "link", token],
      queryFn: () => client.session.lookAtLink(token),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    }),
  /** Somebody's, or one's own. */
  sessions: (userId?: string) =>
    infiniteQueryOptions({
      queryKey: [...sessions, userId],
      queryFn: ({ pageParam, signal }) =>
        client.session.page({ ...(userId && { userId }), limit: 200, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      staleTime: 0,
    }),
};

/** Who is signed in. Only for pages behind the sign-in, which have asked already. */
export const useSession = () => useSuspenseQuery(accessQueries.session).data;

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (who: SignIn) => once.signIn(who),
    onSuccess(session) {
      // Somebody else may have been signed in here.
      forgetPerson(queries);
      tellTabs(session.user.id);
      queries.setQueryData(accessQueries.session.queryKey, session);
    },
  });
}

export const useForgotten = () => useMutation({ mutationFn: (email: string) => once.forgotPassword({ email }) });

export function useUseLink() {
  const queries = useQueryClient();
  return useMutation({
    // biome-ignore lint/correctness/useHookAtTopLevel: no hook, though its name begins like one
    mutationFn: (link: UseLink) => once.useLink(link),
    onSuccess(session) {
      // Somebody else may have been signed in here.
      queries.clear();
      tellTabs(session.user.id);
      queries.setQueryData(accessQueries.session.queryKey, session);
    },
  });
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.session.signOut(),
    onSuccess() {
      // Nothing of this person stays in the page's memory.
      queries.clear();
      window.location.assign(`${import.meta.env.BASE_URL}sign-in`);
    },
  });
}

export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: { currentPassword?: string; newPassword: string }) => once.changePassword(change),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: accessQueries.session.queryKey, exact: true }),
        queries.invalidateQueries({ queryKey: sessions }),
      ]),
  });
}

/** Ends one session, or all others of somebody. */
export function useEndSessions(userId?: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (which: { readonly id: string } | "others") =>
      which === "others" ? endOthers(client.session, userId) : client.session.end(which.id),
    onSettled: () => queries.invalidateQueries({ queryKey: sessions }),
  });
}
