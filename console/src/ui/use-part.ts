import { useEffect, useRef, useState } from "react";
import { PartMissing } from "./part-missing.ts";
import { tellProblem } from "./tell.tsx";
import { useProblemText } from "./use-problem-text.ts";

/**
 * A part of a page that is fetched when it is first wanted. If it cannot be had, that is said, and the page stays as it is:
 * what somebody has in it is not lost.
 */
export function usePart<Part>(wanted: boolean, load: () => Promise<Part>, onFailure: () => void): Part | undefined {
  const [part, setPart] = useState<{ readonly value: Part }>();
  const problem = useProblemText();
  const failed = useRef(() => {});
  useEffect(() => {
    failed.current = () => {
      tellProblem(problem(new PartMissing()));
      onFailure();
    };
  });
  const missing = wanted && !part;
  useEffect(() => {
    if (!missing) return;
    let here = true;
    load().then(
      (value) => here && setPart({ value }),
      () => here && failed.current(),
    );
    return () => {
      here = false;
    };
  }, [missing, load]);
  return part?.value;
}
