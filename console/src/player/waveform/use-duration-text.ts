import { useCallback } from "react";
import { useFormat } from "../../ui/time/use-format.ts";
import { useTexts } from "../texts.ts";

/** Formats a duration. Below a minute with tenths of a second. */
export function useDurationText(): (ms: number) => string {
  const { t } = useTexts();
  const format = useFormat();
  return useCallback(
    (ms) => (ms < 59_950 ? t("seconds", { seconds: format.number(Math.round(ms / 100) / 10) }) : format.duration(ms)),
    [t, format],
  );
}
