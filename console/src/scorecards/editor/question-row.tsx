import type { FailScope, Question } from "@hearback/scoring/question";
import { weightOf } from "@hearback/scoring/question-points";
import { type KeyboardEvent, memo } from "react";
import { Icon } from "../../ui/icon.tsx";
import type { DraftDocument, DraftQuestion } from "../draft/draft-document.ts";
import { moveQuestion, placeOf, stepQuestion } from "../draft/draft-operations.ts";
import type { Finding } from "../draft/lint-draft.ts";
import { useTexts } from "../texts.ts";
import { dragHandle, dropTarget } from "./drag-and-drop.ts";
import classes from "./editor.module.css";
import { useEditor } from "./editor-context.ts";
import { QuestionFields } from "./fields/question-fields.tsx";
import { MoveButtons } from "./move-buttons.tsx";
import { questionMovedText } from "./move-texts.ts";

/** Whether an answer fails the call or the section; the call counts more. */
function worstFail({ yes, no, options = [] }: DraftQuestion): FailScope | undefined {
  const scopes = [yes, no, ...options].map((effect) => effect?.fails);
  return scopes.find((scope) => scope === "call") ?? scopes.find((scope) => scope !== undefined);
}

interface QuestionRowProps {
  readonly question: DraftQuestion;
  readonly position: number;
  readonly canUp: boolean;
  readonly canDown: boolean;
  readonly isOpen: boolean;
  readonly errors: number;
  readonly warnings: number;
  /** Only for the open question. */
  readonly findings: readonly Finding[] | undefined;
  readonly document: DraftDocument | undefined;
}

/** A question in one line; with all fields if it is open. Memoized: a form has up to 150. */
export const QuestionRow = memo(function QuestionRow(props: QuestionRowProps) {
  const { question, position, canUp, canDown, isOpen, errors, warnings, findings, document } = props;
  const { t } = useTexts();
  const editor = useEditor();
  const { id } = question;
  const name = question.title.trim() || t("untitledQuestion");
  const weight = weightOf(question as unknown as Question);
  const fails = worstFail(question);

  const step = (by: -1 | 1, keep: Element | null) =>
    editor.apply((before) => stepQuestion(before, id, by), {
      announce: (after) => questionMovedText(after, id, t),
      focus: `question:${id}`,
      keep,
    });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    step(event.key === "ArrowUp" ? -1 : 1, globalThis.document.activeElement);
  };
  const drop = dropTarget("question", (dropped, side) =>
    editor.apply(
      (before) => {
        const [from, target] = [placeOf(before, dropped), placeOf(before, id)];
        const section = target && before.sections[target.section];
        if (!from || !target || !section) return before;
        const to = target.index + (side === "after" ? 1 : 0);
        return moveQuestion(
          before,
          dropped,
          section.id,
          from.section === target.section && from.index < to ? to - 1 : to,
        );
      },
      { announce: (after) => questionMovedText(after, dropped, t) },
    ),
  );
  return (
    <li className={classes.row} data-open={isOpen || undefined} data-drag-item onKeyDown={onKeyDown} {...drop}>
      <div className={classes.rowHead}>
        <span className={classes.grip} title={t("dragToMove")} aria-hidden="true" {...dragHandle("question", id)}>
          <Icon name="grip" size={16} />
        </span>
        <button
          type="button"
          className={classes.rowToggle}
          aria-expanded={isOpen}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          data-focus={`question:${id}`}
          onClick={() => editor.open(isOpen ? null : id, isOpen ? `question:${id}` : `title:${id}`)}
        >
          <span className={classes.rowNumber} aria-hidden="true">
            {position}
          </span>
          <span className={classes.rowTitle}>{name}</span>
          {fails && (
            <span className={classes.rowFails} title={t(fails === "call" ? "rowFailsCall" : "rowFailsSection")}>
              <Icon name="ban" size={14} />
              <span className={classes.hidden}>{t(fails === "call" ? "rowFailsCall" : "rowFailsSection")}</span>
            </span>
          )}
          {question.when && (
            <span className={classes.rowCondition} title={t("conditional")}>
              <Icon name="branch" size={14} />
              <span className={classes.hidden}>{t("conditional")}</span>
            </span>
          )}
          {errors + warnings > 0 && (
            <span className={classes.rowFinding} data-severity={errors > 0 ? "error" : "warning"}>
              <Icon name="warning" size={15} />
              <span className={classes.hidden}>
                {errors > 0 ? t("errors", { count: errors }) : t("warnings", { count: warnings })}
              </span>
            </span>
          )}
          <span className={classes.rowType}>{t(`type_${question.type}`)}</span>
          <span className={classes.rowWeight} data-unscored={weight === 0 || undefined}>
            <span aria-hidden="true">{weight === 0 ? "–" : weight}</span>
            <span className={classes.hidden}>{weight === 0 ? t("notScored") : t("weightOf", { weight })}</span>
          </span>
        </button>
        <span className={classes.moves}>
          <MoveButtons title={name} canUp={canUp} canDown={canDown} onMove={step} />
        </span>
      </div>
      {isOpen && document && <QuestionFields question={question} document={document} findings={findings ?? []} />}
    </li>
  );
});
