import { useCallback } from "react";
import { type TextKey, useTexts } from "../i18n/use-texts.ts";
import type { SideName } from "./speech.ts";

const names: Record<SideName, TextKey<"player">> = {
  agent: "sideAgent",
  customer: "sideCustomer",
  left: "sideLeft",
  right: "sideRight",
  mixed: "sideMixed",
};

/** How a side is called in the reader's language. */
export function useSideNames(): (side: SideName) => string {
  const { t } = useTexts("player");
  return useCallback((side) => t(names[side]), [t]);
}
