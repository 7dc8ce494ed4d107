import { useTexts } from "../i18n/use-texts.ts";
import { tell, tellProblem } from "../ui/tell.tsx";
import { useProblemText } from "../ui/use-problem-text.ts";

/** Says briefly, in a corner, how it went. */
export function useTold() {
  const { t } = useTexts("webhooks");
  const problem = useProblemText();
  return {
    done: tell,
    failed: (error: Error) => tellProblem(problem(error), t("failedToast")),
  };
}
