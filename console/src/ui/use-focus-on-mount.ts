import { type RefObject, useEffect, useRef } from "react";

/** Focuses the control on mount, for a new step of a dialog. */
export function useFocusOnMount<Control extends HTMLElement>(): RefObject<Control | null> {
  const control = useRef<Control>(null);
  useEffect(() => control.current?.focus(), []);
  return control;
}
