import { queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";

/** The part of a proof with the agent's own calls, as text. Skips can still be added to it. */
export const proofQuery = (drawId: string) =>
  queryOptions({
    queryKey: ["draws", "proof", drawId],
    queryFn: async ({ signal }) => new Response((await client.draws.proof(drawId, { signal })).body).text(),
    staleTime: 60_000,
  });
