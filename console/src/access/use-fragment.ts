import { useEffect, useState } from "react";

/** Reads the URL fragment, which servers never see, and removes it from the address bar and the history. */
export function useFragment(): string {
  const [fragment] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    const { pathname, search } = window.location;
    if (fragment) window.history.replaceState(window.history.state, "", pathname + search);
  }, [fragment]);
  return fragment;
}
