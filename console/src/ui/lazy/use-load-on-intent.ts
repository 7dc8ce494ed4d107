import { useState } from "react";
import { withTexts } from "../../i18n/language.ts";
import { useLazyLoad } from "./use-lazy-load.ts";

/** Preloads a component when its button is hovered or focused, and loads it on click. */
export function useLoadOnIntent<Part>(load: () => Promise<Part>) {
  const [wanted, setWanted] = useState(false);
  const part = useLazyLoad(wanted, load, () => setWanted(false));
  // Preload errors are ignored; a click reports them.
  const reach = () => void withTexts(load()).catch(() => {});
  return { part, button: { onPointerEnter: reach, onFocus: reach, onClick: () => setWanted(true) } };
}
