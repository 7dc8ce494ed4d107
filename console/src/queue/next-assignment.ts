import type { AssignmentBody } from "@hearback/sdk";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";
import { isBeingSubmitted } from "./submitted-calls.ts";

/** The assignment of a reviewer to open after this call. null: none is left. */
export const nextAssignmentQuery = (reviewerId: string, callId: string) =>
  queryOptions({
    queryKey: ["assignments", "after", reviewerId, callId],
    async queryFn({ signal }): Promise<AssignmentBody | null> {
      const { assignments } = await client.assignments.page({ reviewerId, limit: 50, signal });
      return assignments.find(({ call_id }) => call_id !== callId && !isBeingSubmitted(call_id)) ?? null;
    },
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
