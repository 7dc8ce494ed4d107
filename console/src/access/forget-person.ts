import type { QueryClient } from "@tanstack/react-query";

/** How one signs in here is the same for everybody; all else was seen by one person. */
const isPersonal = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[0] !== "session";

/** Nothing of who was signed in stays in the page's memory. */
export function forgetPerson(queries: QueryClient): void {
  queries.removeQueries({ predicate: isPersonal });
  queries.getMutationCache().clear();
}

/** The same while pages are open: what they show is gone at once, and asked for anew. */
export function startAfresh(queries: QueryClient): void {
  queries.getMutationCache().clear();
  void queries.resetQueries({ predicate: isPersonal });
}
