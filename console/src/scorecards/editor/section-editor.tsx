import { Text, TextInput } from "@mantine/core";
import { type KeyboardEvent, memo, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { RowMenu } from "../../ui/table/row-menu.tsx";
import type { DraftDocument, DraftSection } from "../draft/draft-document.ts";
import {
  changeSection,
  deleteSection,
  duplicateSection,
  moveQuestion,
  moveSection,
  placeOf,
  sectionIndex,
} from "../draft/draft-operations.ts";
import type { Finding } from "../draft/lint-draft.ts";
import { useTexts } from "../texts.ts";
import { AddQuestion } from "./add-question.tsx";
import { dragHandle, dropTarget } from "./drag-and-drop.ts";
import classes from "./editor.module.css";
import { useEditor } from "./editor-context.ts";
import { FindingLine } from "./finding-list.tsx";
import { MoveButtons } from "./move-buttons.tsx";
import { NumberField } from "./number-field.tsx";
import { QuestionRow } from "./question-row.tsx";

interface SectionEditorProps {
  readonly section: DraftSection;
  readonly index: number;
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
  const { section, index, isLast, weight, open, findings, document } = props;
  const { t } = useTexts();
  const editor = useEditor();
  const { id, title, questions } = section;
  const name = title.trim() || t("untitledSection");
  const [hasWeightField, setWeightField] = useState(false);
  const own = findings.get(id) ?? [];

  const announceMove = (after: DraftDocument) =>
    t("sectionMoved", { title: name, position: sectionIndex(after, id) + 1, total: after.sections.length });
  const step = (by: -1 | 1, keep: Element | null) =>
    editor.apply((before) => moveSection(before, id, Math.max(0, sectionIndex(before, id) + by)), {
      announce: announceMove,
      focus: `section:${id}`,
      keep,
    });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    step(event.key === "ArrowUp" ? -1 : 1, globalThis.document.activeElement);
  };
  const duplicate = () => {
    const added = duplicateSection(editor.current(), id, t("copyOf", { title: name }));
    editor.apply(() => added.document, { announce: () => t("copied", { title: name }), focus: `section:${added.id}` });
  };
  const remove = () =>
    editor.apply((before) => deleteSection(before, id), {
      announce: () => t("deleted", { title: name }),
      focus(after) {
        const next = after.sections[Math.min(index, after.sections.length - 1)];
        return next ? `section:${next.id}` : "add-section";
      },
    });
  const dropSection = dropTarget("section", (dropped, side) =>
    editor.apply(
      (before) => {
        const [from, target] = [sectionIndex(before, dropped), sectionIndex(before, id)];
        const to = target + (side === "after" ? 1 : 0);
        return moveSection(before, dropped, from < to ? to - 1 : to);
      },
      {
        announce: (after) =>
          t("sectionMoved", { title: "", position: sectionIndex(after, dropped) + 1, total: after.sections.length }),
      },
    ),
  );
  const dropQuestion = dropTarget("question", (dropped) =>
    editor.apply((before) => moveQuestion(before, dropped, id, Number.MAX_SAFE_INTEGER), {
      announce: (after) => movedText(after, dropped),
    }),
  );
  const movedText = (after: DraftDocument, moved: string) => {
    const place = placeOf(after, moved);
    const target = place && after.sections[place.section];
    return t("questionMoved", {
      title: target?.questions[place?.index ?? 0]?.title ?? "",
      position: (place?.index ?? 0) + 1,
      total: target?.questions.length ?? 0,
      section: target?.title ?? "",
    });
  };
  return (
    <section className={classes.section} data-drag-item {...dropSection}>
      <h2 className={classes.hidden}>{name}</h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the move keys of the controls inside */}
      <div className={classes.sectionHead} onKeyDown={onKeyDown}>
        <span className={classes.grip} title={t("dragToMove")} aria-hidden="true" {...dragHandle("section", id)}>
          <Icon name="grip" size={18} />
        </span>
        <TextInput
          variant="unstyled"
          className={classes.sectionTitle}
          aria-label={t("sectionTitle")}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          placeholder={t("untitledSection")}
          maxLength={300}
          value={title}
          data-focus={`section:${id}`}
          onChange={({ currentTarget: { value } }) =>
            editor.apply((before) => changeSection(before, id, { title: value }), { about: `${id} title` })
          }
        />
        <Text size="sm" c="dimmed" className="tabular nowrap">
          {t("weightOf", { weight })}
        </Text>
        <span className={classes.moves}>
          <MoveButtons title={name} canUp={index > 0} canDown={!isLast} onMove={step} />
        </span>
        <RowMenu
          name={name}
          actions={[
            { label: t("duplicate"), icon: "copy", onClick: duplicate },
            ...(section.weight === undefined && !hasWeightField
              ? [{ label: t("setSectionWeight"), icon: "settings" as const, onClick: () => setWeightField(true) }]
              : []),
            { label: t("deleteSection"), icon: "trash", dangerous: true, onClick: remove },
          ]}
        />
      </div>
      {(section.weight !== undefined || hasWeightField) && (
        <div className={classes.sectionWeight}>
          <NumberField
            label={t("sectionWeight")}
            description={t("sectionWeightDetail")}
            min={0}
            max={1000}
            step={1}
            w={{ base: "100%", sm: 320 }}
            size="sm"
            autoFocus={hasWeightField}
            value={section.weight}
            onChange={(value) =>
              editor.apply((before) => changeSection(before, id, { weight: value }), { about: `${id} weight` })
            }
            onBlur={() => setWeightField(false)}
          />
        </div>
      )}
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
              position={at + 1}
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
