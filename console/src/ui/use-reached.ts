import { useState } from "react";
import { usePart } from "./use-part.ts";

/** What a button opens, and what the button does for it: it is fetched when somebody reaches for the button. */
export function useReached<Part>(load: () => Promise<Part>) {
  const [wanted, setWanted] = useState(false);
  const part = usePart(wanted, load, () => setWanted(false));
  // If it cannot be had, that is said when it is wanted, not before.
  const reach = () => void load().catch(() => {});
  return { part, button: { onPointerEnter: reach, onFocus: reach, onClick: () => setWanted(true) } };
}
