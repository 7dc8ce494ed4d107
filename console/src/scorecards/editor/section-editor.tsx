import { Text } from "@mantine/core";
import { memo } from "react";
import type { DraftDocument, DraftSection } from "../draft/draft-document.ts";
import { moveQuestion, moveSection, sectionIndex } from "../draft/draft-operations.ts";
import type { Finding } from "../draft/lint-draft.ts";
import { useTexts } from "../texts.ts";
import { AddQuestion } from "./add-question.tsx";
import { dropTarget } from "./drag-and-drop.ts";
import classes from "./editor.module.css";
import { useEditor } from "./editor-context.ts";
import { FindingLine } from "./finding-list.tsx";
import { questionMovedText, sectionMovedText } from "./move-texts.ts";
import { QuestionRow } from "./question-row.tsx";
import { SectionHead } from "./section-head.tsx";

interface SectionEditorProps {
  readonly section: DraftSection;
  readonly index: number;
  /** Number of the first question. Questions are counted through the form. */
  readonly firstNumber: number;
  readonly isLast: boolean;
  /** What the section counts in the whole form. */
  readonly weight: number;
  /** Id of the open question, if it is in this section. */
  readonly open: string | null;
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  /** Only for the section with the open question. */
  readonly document: DraftDocument | undefined;
}

/** Title, weight and questions of a section. */
export const SectionEditor = memo(function SectionEditor(props: SectionEditorProps) {
  const { section, index, firstNumber, isLast, weight, open, findings, document } = props;
  const { t } = useTexts();
  const editor = useEditor();
  const { id, title, questions } = section;
  const name = title.trim() || t("untitledSection");
  const own = findings.get(id) ?? [];
  const dropSection = dropTarget("section", (dropped, side) =>
    editor.apply(
      (before) => {
        const [from, target] = [sectionIndex(before, dropped), sectionIndex(before, id)];
        const to = target + (side === "after" ? 1 : 0);
        return moveSection(before, dropped, from < to ? to - 1 : to);
      },
      { announce: (after) => sectionMovedText(after, dropped, t) },
    ),
  );
  const dropQuestion = dropTarget("question", (dropped) =>
    editor.apply((before) => moveQuestion(before, dropped, id, Number.MAX_SAFE_INTEGER), {
      announce: (after) => questionMovedText(after, dropped, t),
    }),
  );
  return (
    <section className={classes.section} data-drag-item {...dropSection}>
      <h2 className={classes.hidden}>{name}</h2>
      <SectionHead id={id} title={title} index={index} isLast={isLast} weight={weight} ownWeight={section.weight} />
      {own.length > 0 && (
        <div className={classes.sectionFindings}>
          {own.map((finding) => (
            <FindingLine key={finding.code + finding.path} document={editor.current()} finding={finding} />
          ))}
        </div>
      )}
      <ol className={classes.rows} {...(questions.length === 0 && dropQuestion)}>
        {questions.map((question, at) => {
          const found = findings.get(question.id);
          const isOpen = question.id === open;
          return (
            <QuestionRow
              key={question.id}
              question={question}
              position={firstNumber + at}
              canUp={at > 0 || index > 0}
              canDown={at < questions.length - 1 || !isLast}
              isOpen={isOpen}
              errors={found?.filter(({ severity }) => severity === "error").length ?? 0}
              warnings={found?.filter(({ severity }) => severity === "warning").length ?? 0}
              findings={isOpen ? found : undefined}
              document={isOpen ? document : undefined}
            />
          );
        })}
        {questions.length === 0 && (
          <li className={classes.emptyRow}>
            <Text size="sm" c="dimmed">
              {t("noQuestions")}
            </Text>
          </li>
        )}
      </ol>
      <AddQuestion section={id} sectionTitle={name} />
    </section>
  );
});
