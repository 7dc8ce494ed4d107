import { toast, toastProblem } from "../ui/feedback/toast.tsx";
import { useProblemText } from "../ui/feedback/use-problem-text.ts";
import { useTexts } from "./texts.ts";

/** Toasts for the result of an action. */
export function useResultToast() {
  const { t } = useTexts();
  const problem = useProblemText();
  return {
    done: toast,
    failed: (error: Error) => toastProblem(problem(error), t("failedToast")),
  };
}
