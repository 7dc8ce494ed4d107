import { queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";
import { findNextCall } from "./find-next-call.ts";

/** The call of a session to open after this one. null: none is left. */
export const nextSessionCallQuery = (id: string, callId: string) =>
  queryOptions({
    queryKey: ["calibrations", "one", id, "after", callId],
    async queryFn({ signal }) {
      const session = await client.calibrations.find(id, { signal });
      const next = findNextCall(session, callId);
      return next ? { call_id: next.call_id, scorecard_id: session.scorecard.id } : null;
    },
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
