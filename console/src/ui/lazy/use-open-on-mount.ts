import { useLayoutEffect, useRef, useState } from "react";

/** For lazily loaded popovers: the component brings its own button, which replaces the clicked one. */
export function useOpenOnMount() {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    // The clicked button was removed with its focus. Focus the new one, unless the user moved on.
    if (document.activeElement !== document.body) return;
    button.current?.focus();
    setOpened(true);
  }, []);
  return { opened, setOpened, button };
}
