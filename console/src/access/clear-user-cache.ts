import type { QueryClient } from "@tanstack/react-query";

/** Sign-in options are the same for every user. All other cached data belongs to the signed-in user. */
const isPersonal = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[0] !== "session";

/** Removes all cached data of the signed-in user. */
export function clearUserCache(queries: QueryClient): void {
  queries.removeQueries({ predicate: isPersonal });
  queries.getMutationCache().clear();
}

/** Same, while pages are open: clears what they show and fetches it again. */
export function resetUserCache(queries: QueryClient): void {
  queries.getMutationCache().clear();
  void queries.resetQueries({ predicate: isPersonal });
}
