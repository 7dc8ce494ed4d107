import { Text, TextInput } from "@mantine/core";
import { type KeyboardEvent, memo, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { RowMenu } from "../../ui/table/row-menu.tsx";
import {
  changeSection,
  deleteSection,
  duplicateSection,
  moveSection,
  sectionIndex,
} from "../draft/draft-operations.ts";
import { useTexts } from "../texts.ts";
import { dragHandle } from "./drag-and-drop.ts";
import classes from "./editor.module.css";
import { useEditor } from "./editor-context.ts";
import { NumberField } from "./fields/number-field.tsx";
import { MoveButtons } from "./move-buttons.tsx";
import { sectionMovedText } from "./move-texts.ts";

interface SectionHeadProps {
  readonly id: string;
  readonly title: string;
  readonly index: number;
  readonly isLast: boolean;
  /** What the section counts in the whole form. */
  readonly weight: number;
  readonly ownWeight: number | undefined;
}

/** Title, weight and actions of a section. Memoized: typing into a question does not render it. */
export const SectionHead = memo(function SectionHead({
  id,
  title,
  index,
  isLast,
  weight,
  ownWeight,
}: SectionHeadProps) {
  const { t } = useTexts();
  const editor = useEditor();
  const name = title.trim() || t("untitledSection");
  const [hasWeightField, setWeightField] = useState(false);
  const step = (by: -1 | 1, keep: Element | null) =>
    editor.apply((before) => moveSection(before, id, Math.max(0, sectionIndex(before, id) + by)), {
      announce: (after) => sectionMovedText(after, id, t),
      focus: `section:${id}`,
      keep,
    });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    step(event.key === "ArrowUp" ? -1 : 1, document.activeElement);
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
  const showWeight = {
    label: t("setSectionWeight"),
    icon: "settings",
    onClick: () => setWeightField(true),
  } as const;
  return (
    <>
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
            ...(ownWeight === undefined && !hasWeightField ? [showWeight] : []),
            { label: t("deleteSection"), icon: "trash", dangerous: true, onClick: remove },
          ]}
        />
      </div>
      {(ownWeight !== undefined || hasWeightField) && (
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
            value={ownWeight}
            onChange={(value) =>
              editor.apply((before) => changeSection(before, id, { weight: value }), { about: `${id} weight` })
            }
            onBlur={() => setWeightField(false)}
          />
        </div>
      )}
    </>
  );
});
