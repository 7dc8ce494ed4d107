import type { MouseEvent } from "react";

/** Mouse clicks on controls do not move the focus, so the space bar still plays and pauses. */
export const keepFocus = { onMouseDown: (event: MouseEvent) => event.preventDefault() };
