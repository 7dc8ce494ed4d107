import { useCallback } from "react";
import type { SideName } from "../engine/speech.ts";
import { type TextKey, useTexts } from "../texts.ts";

const names: Record<SideName, TextKey> = {
  agent: "sideAgent",
  customer: "sideCustomer",
  left: "sideLeft",
  right: "sideRight",
  mixed: "sideMixed",
};

export function useSideNames(): (side: SideName) => string {
  const { t } = useTexts();
  return useCallback((side) => t(names[side]), [t]);
}
