import { useEffect, useState } from "react";

/** What the address has behind its #, which no server sees; taken out of the address bar and the history at once. */
export function useFragment(): string {
  const [fragment] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    const { pathname, search } = window.location;
    if (fragment) window.history.replaceState(window.history.state, "", pathname + search);
  }, [fragment]);
  return fragment;
}
