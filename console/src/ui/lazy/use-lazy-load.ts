import { useEffect, useRef, useState } from "react";
import { withTexts } from "../../i18n/language.ts";
import { toastProblem } from "../feedback/toast.tsx";
import { useProblemText } from "../feedback/use-problem-text.ts";
import { ChunkLoadError } from "./chunk-load-error.ts";

/** Loads code on demand. A failure shows a toast and keeps the page and its state. */
export function useLazyLoad<Part>(wanted: boolean, load: () => Promise<Part>, onFailure: () => void): Part | undefined {
  const [part, setPart] = useState<{ readonly value: Part }>();
  const problem = useProblemText();
  const failed = useRef(() => {});
  useEffect(() => {
    failed.current = () => {
      toastProblem(problem(new ChunkLoadError()));
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
