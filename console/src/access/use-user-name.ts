import { queryOptions, useQuery } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useSession } from "./queries.ts";

const user = (id: string) =>
  queryOptions({
    queryKey: ["users", "names", id],
    queryFn: ({ signal }) => client.users.find(id, { signal }),
    staleTime: 10 * 60_000,
  });

/** Name of a user. Undefined: not loaded, erased, or hidden from agents. */
export function useUserName(id: string | null): string | undefined {
  const { user: me } = useSession();
  const isOther = id !== null && id !== me.id;
  const { data } = useQuery({ ...user(id ?? ""), enabled: isOther && me.role !== "agent" });
  return isOther ? data?.name : me.name;
}
