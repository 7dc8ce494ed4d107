import { useCallback } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { useFormat } from "../ui/use-format.ts";

/** How long something lasts: tenths count below a minute, and only there. */
export function useLength(): (ms: number) => string {
  const { t } = useTexts("player");
  const format = useFormat();
  return useCallback(
    (ms) => (ms < 59_950 ? t("seconds", { seconds: format.number(Math.round(ms / 100) / 10) }) : format.duration(ms)),
    [t, format],
  );
}
