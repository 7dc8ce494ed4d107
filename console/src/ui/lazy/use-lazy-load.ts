import { useEffect, useRef, useState } from "react";
import { withTexts } from "../../i18n/language.ts";
import { toastProblem } from "../feedback/toast.tsx";
import { useTexts } from "../texts.ts";

/** Loads code on demand. A failure shows a toast and keeps the page and its state. */
export function useLazyLoad<Part>(wanted: boolean, load: () => Promise<Part>, onFailure: () => void): Part | undefined {
  const [part, setPart] = useState<{ readonly value: Part }>();
  const { t } = useTexts();
  const failed = useRef(() => {});
  useEffect(() => {
    failed.current = () => {
      toastProblem(t("problemPart"));
      onFailure();
    };
  });
  const missing = wanted && !part;
  useEffect(() => {
    if (!missing) return;
    let here = true;
    withTexts(load()).then(
      (value) => here && setPart({ value }),
      () => here && failed.current(),
    );
    return () => {
      here = false;
    };
  }, [missing, load]);
  return part?.value;
}
