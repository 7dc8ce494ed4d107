import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer } from "@hearback/scoring/answers";
import type { Question } from "@hearback/scoring/question";
import { flushSync } from "react-dom";
import type { Player } from "../player/engine/player.ts";
import { useShortcuts } from "../ui/shortcuts/shortcuts.tsx";
import { clock } from "../ui/time/use-format.ts";
import { answerByDigit } from "./answer-by-digit.ts";
import { withStamp } from "./moments/moments.ts";
import type { PendingMoment } from "./moments/pending-moment.ts";
import type { Draft } from "./saving/open-draft.ts";
import { useTexts } from "./texts.ts";
import type { FormFocus } from "./use-form-focus.ts";

interface ReviewKeysProps {
  readonly draft: Draft;
  readonly questions: ReadonlyMap<string, Question>;
  readonly focus: FormFocus;
  readonly answer: (question: string, answer: Answer | undefined) => void;
  readonly pendingMoment: PendingMoment;
  /** Absent until the player is loaded. */
  readonly player: Player | undefined;
  readonly submitAndNext: () => void;
}

/**
 * Keyboard shortcuts of the form. They apply to the current question. Must be mounted again after the player: the latest
 * shortcut for a key wins.
 */
export function ReviewKeys(props: ReviewKeysProps) {
  const { draft, questions, focus, answer, pendingMoment, player, submitAndNext } = props;
  const { t } = useTexts();
  const group = t("keys");
  const withCurrent = (run: (question: Question, before: Answer) => void) => () => {
    const question = questions.get(focus.current() ?? "");
    if (question) run(question, answerTo(draft.state().answers, question.id) ?? {});
  };
  const byDigit = (digit: number) =>
    withCurrent((question, before) => {
      const next = answerByDigit(question, before, digit);
      // Rendered at once: the next key goes into the field.
      if (next) flushSync(() => answer(question.id, next));
      if (question.type === "number") focus.editAnswer();
    })();
  const notApplicable = withCurrent((question, { value: _, not_applicable, ...rest }) => {
    if (question.not_applicable) answer(question.id, not_applicable ? rest : { ...rest, not_applicable: true });
  });
  const comment = withCurrent((question, before) => {
    const comment = withStamp(before.comment, clock(player?.nowMs() ?? 0));
    flushSync(() => answer(question.id, { ...before, comment }));
    focus.editComment();
  });
  useShortcuts([
    {
      keys: ["ArrowUp", "ArrowDown"],
      group,
      text: t("keyMove"),
      repeats: true,
      run: ({ key }) => focus.move(key === "ArrowUp" ? -1 : 1),
    },
    { keys: [..."123456789"], shown: "1 – 9", group, text: t("keyAnswer"), run: ({ key }) => byDigit(Number(key)) },
    { keys: ["0", "n"], group, text: t("keyNotApplicable"), run: notApplicable },
    { keys: ["c"], group, text: t("keyComment"), run: comment },
    { keys: ["m"], group, text: t("keyMoment"), run: withCurrent(({ id }) => pendingMoment.mark(id)) },
    { keys: ["Enter"], group, text: t("keyEdit"), run: () => void focus.editAnswer() },
    { keys: ["Shift+Enter"], group, text: t("keySubmit"), run: submitAndNext },
  ]);
  return null;
}
