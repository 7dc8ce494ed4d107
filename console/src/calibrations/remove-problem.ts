import { toastProblem } from "../ui/feedback/toast.tsx";
import { useProblemText } from "../ui/feedback/use-problem-text.ts";
import { useTexts } from "./texts.ts";

/** Shows why a call or a participant was not removed. */
export function useRemoveProblem(): (error: unknown) => void {
  const { t } = useTexts();
  const problemText = useProblemText();
  return (error) => toastProblem(problemText(error), t("notRemoved"));
}
