import type { ChangeSessionUser, RedeemLink, SignIn } from "@hearback/sdk";
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from "@tanstack/react-query";
import { client, onceClient } from "../client.ts";
import { endOtherSessions } from "./account/end-other-sessions.ts";
import { clearUserCache, resetUserCache } from "./clear-user-cache.ts";
import { broadcastSession } from "./session-broadcast.ts";
import { clearUserStorage } from "./user-storage.ts";

/** Sign-in requests are never retried: each failed attempt extends the throttle. */
const noRetry = onceClient.session;

const sessions = ["sessions"];

export const accessQueries = {
  session: queryOptions({
    queryKey: ["session"],
    async queryFn({ client: queries }) {
      const session = await client.session.find();
      // Another tab signed in as a different user with the same cookie.
      const before = queries.getQueryData<typeof session>(["session"]);
      if (before && before.id !== session.id) resetUserCache(queries);
      if (before?.user.id !== session.user.id) broadcastSession(session.user.id);
      return session;
    },
    staleTime: 60_000,
    retry: false,
  }),
  options: queryOptions({ queryKey: ["session", "options"], queryFn: () => client.session.options() }),
  /** Fetched once. A link that was used in the meantime fails on submit. */
  link: (token: string) =>
    queryOptions({
      queryKey: ["session", "link", token],
      queryFn: () => client.session.inspectLink(token),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    }),
  /** Sessions of a user, or of the caller. */
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

/** Signed-in user. Only for pages behind the sign-in, where the session is already loaded. */
export const useSession = () => useSuspenseQuery(accessQueries.session).data;

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (who: SignIn) => noRetry.signIn(who),
    onSuccess(session) {
      // Drop cached data of a previous user.
      clearUserCache(queries);
      broadcastSession(session.user.id);
      queries.setQueryData(accessQueries.session.queryKey, session);
    },
  });
}

export function useChangePreferences() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: ChangeSessionUser) => client.session.change(change),
    onSuccess: (session) => queries.setQueryData(accessQueries.session.queryKey, session),
  });
}

export const useForgotPassword = () =>
  useMutation({ mutationFn: (email: string) => noRetry.forgotPassword({ email }) });

export function useRedeemLink() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (link: RedeemLink) => noRetry.redeemLink(link),
    onSuccess(session) {
      // Drop cached data of a previous user.
      queries.clear();
      broadcastSession(session.user.id);
      queries.setQueryData(accessQueries.session.queryKey, session);
    },
  });
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.session.signOut(),
    onSuccess() {
      queries.clear();
      clearUserStorage();
      window.location.assign(`${import.meta.env.BASE_URL}sign-in`);
    },
  });
}

export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: { currentPassword?: string; newPassword: string }) => noRetry.changePassword(change),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: accessQueries.session.queryKey, exact: true }),
        queries.invalidateQueries({ queryKey: sessions }),
      ]),
  });
}

/** Ends one session, or all others of the user. */
export function useEndSessions(userId?: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (which: { readonly id: string } | "others") =>
      which === "others" ? endOtherSessions(client.session, userId) : client.session.end(which.id),
    onSettled: () => queries.invalidateQueries({ queryKey: sessions }),
  });
}
