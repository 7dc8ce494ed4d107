import { documentLimits } from "@hearback/scoring/limits";
import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { Icon } from "../../../ui/icon.tsx";
import type { DraftDocument } from "../../draft/draft-document.ts";
import { addSection } from "../../draft/draft-operations.ts";
import type { Finding } from "../../draft/lint-draft.ts";
import { sectionWeight } from "../../draft/preview-document.ts";
import { useTexts } from "../../texts.ts";
import classes from "../editor.module.css";
import { useEditor } from "../editor-context.ts";
import { SectionEditor } from "../section-editor.tsx";
import { SettingsFields } from "./settings-fields.tsx";

interface FormFieldsProps {
  readonly document: DraftDocument;
  readonly open: string | null;
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
}

/** Settings, sections and questions. */
export function FormFields({ document, open, findings }: FormFieldsProps) {
  const { t } = useTexts();
  const openSection = document.sections.find(({ questions }) => questions.some(({ id }) => id === open));
  return (
    <Stack gap="md" miw={0}>
      <SettingsFields document={document} isOpen={open === "settings"} />
      {document.sections.length === 0 && (
        <Text c="dimmed" size="sm" ta="center" py="sm">
          {t("noSections")}
        </Text>
      )}
      <div className={classes.sections} data-focus="sections" tabIndex={-1}>
        {document.sections.map((section, index) => (
          <SectionEditor
            key={section.id}
            section={section}
            index={index}
            firstNumber={1 + document.sections.slice(0, index).flatMap(({ questions }) => questions).length}
            isLast={index === document.sections.length - 1}
            weight={sectionWeight(document, section)}
            open={section === openSection ? open : null}
            findings={findings}
            // Only the open question looks at the others.
            document={section === openSection ? document : undefined}
          />
        ))}
      </div>
      {document.sections.length < documentLimits.sections && <AddSection isFirst={document.sections.length === 0} />}
    </Stack>
  );
}

/** A section needs a title first, from which its id is made. */
function AddSection({ isFirst }: { readonly isFirst: boolean }) {
  const { t } = useTexts();
  const editor = useEditor();
  const [title, setTitle] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const add = () => {
    if (title.trim() === "") return field.current?.focus();
    const { document, id } = addSection(editor.current(), title.trim());
    editor.apply(() => document, { announce: () => t("added", { title: title.trim() }), focus: `add:${id}` });
    setTitle("");
  };
  return (
    <form
      className={classes.addSection}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <TextInput
        ref={field}
        aria-label={t("newSection")}
        placeholder={t(isFirst ? "firstSectionHint" : "newSectionHint")}
        maxLength={300}
        flex={1}
        value={title}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        data-focus="add-section"
      />
      <Button type="submit" variant="default" leftSection={<Icon name="plus" size={16} />}>
        {t("addSection")}
      </Button>
    </form>
  );
}
