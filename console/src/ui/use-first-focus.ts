import { type RefObject, useEffect, useRef } from "react";

/** For the control with which a new step begins: it takes the focus that the step before had. */
export function useFirstFocus<Control extends HTMLElement>(): RefObject<Control | null> {
  const control = useRef<Control>(null);
  useEffect(() => control.current?.focus(), []);
  return control;
}
