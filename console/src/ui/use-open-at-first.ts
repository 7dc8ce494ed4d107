import { useLayoutEffect, useRef, useState } from "react";

/** For what a button has opened, fetched meanwhile: it comes with a button of its own, in the place of the one pressed. */
export function useOpenAtFirst() {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    // The one that was pressed took the focus with it, unless somebody has gone on. Where it is now, it comes back to.
    if (document.activeElement !== document.body) return;
    button.current?.focus();
    setOpened(true);
  }, []);
  return { opened, setOpened, button };
}
