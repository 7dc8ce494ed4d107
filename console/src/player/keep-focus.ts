import type { MouseEvent } from "react";

/** A control pressed with the mouse does not take the focus: the space bar goes on to play and pause. */
export const keepFocus = { onMouseDown: (event: MouseEvent) => event.preventDefault() };
