import type { SecondStep, SessionBody } from "@hearback/sdk";
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, onceClient } from "../../client.ts";
import { clearUserCache } from "../clear-user-cache.ts";
import { accessQueries } from "../queries.ts";
import { broadcastSession } from "../session-broadcast.ts";

export const twoStepQueries = {
  own: queryOptions({ queryKey: ["session", "two-step"], queryFn: () => client.twoStep.find() }),
  counts: queryOptions({
    queryKey: ["workspace", "two-step"],
    queryFn: () => client.workspace.countWithoutTwoStep(),
    staleTime: 0,
  }),
};

/** Mutates a second factor, then refetches the factors, the session and the session list. */
export function useFactorChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: twoStepQueries.own.queryKey, exact: true }),
        queries.invalidateQueries({ queryKey: accessQueries.session.queryKey, exact: true }),
        queries.invalidateQueries({ queryKey: ["sessions"] }),
      ]),
    gcTime: 0,
  });
}

export const useConfirmPassword = () => useFactorChange((password: string) => onceClient.session.confirm({ password }));

export const useAddPasskey = () =>
  useFactorChange(async (name: string) => {
    const optionsJSON = await onceClient.twoStep.beginPasskey();
    const credential = await startRegistration({ optionsJSON: optionsJSON as never });
    return onceClient.twoStep.addPasskey(name, credential);
  });

/** Updates the caches after sign-in. */
function useStartSession() {
  const queries = useQueryClient();
  return (session: SessionBody) => {
    // Drop cached data of a previous user.
    clearUserCache(queries);
    broadcastSession(session.user.id);
    queries.setQueryData(accessQueries.session.queryKey, session);
  };
}

export const useSecondStep = () =>
  useMutation({ mutationFn: (step: SecondStep) => onceClient.session.secondStep(step), onSuccess: useStartSession() });

export const usePasskeySignIn = () =>
  useMutation({
    mutationFn: async () => {
      const optionsJSON = await onceClient.session.beginPasskeySignIn();
      return onceClient.session.signInByPasskey(await startAuthentication({ optionsJSON: optionsJSON as never }));
    },
    onSuccess: useStartSession(),
  });
