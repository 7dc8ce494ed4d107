import { documentLimits } from "@hearback/scoring/limits";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type FocusEvent, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { type QuestionType, questionTypes } from "../draft/draft-document.ts";
import { addQuestion } from "../draft/draft-operations.ts";
import { useTexts } from "../texts.ts";
import classes from "./editor.module.css";
import { useEditor } from "./editor-context.ts";
import { newOptions } from "./new-options.ts";

interface AddQuestionProps {
  readonly section: string;
  readonly sectionTitle: string;
}

/** A question needs a title first, from which its id is made. The field stays open, to write one after the other. */
export function AddQuestion({ section, sectionTitle }: AddQuestionProps) {
  const { t } = useTexts();
  const editor = useEditor();
  const [isOpen, setOpen] = useState(false);
  const [title, setTitle] = useState("");
  const [type, setType] = useState<QuestionType>("yes_no");
  const add = () => {
    const text = title.trim();
    const before = editor.current();
    const count = before.sections.flatMap(({ questions }) => questions).length;
    if (text === "" || count >= documentLimits.questions) return;
    const { document } = addQuestion(before, section, { title: text, type, options: newOptions(type, t) });
    editor.apply(() => document, { announce: () => t("added", { title: text }), focus: `add:${section}` });
    setTitle("");
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (title.trim() === "" && !currentTarget.contains(relatedTarget)) setOpen(false);
  };
  if (!isOpen)
    return (
      <div className={classes.addRow}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="plus" size={14} />}
          aria-label={t("addQuestionTo", { section: sectionTitle })}
          data-focus={`add:${section}`}
          onClick={() => setOpen(true)}
        >
          {t("addQuestion")}
        </Button>
      </div>
    );
  return (
    <form
      className={classes.addForm}
      onBlur={onBlur}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        setTitle("");
        setOpen(false);
        editor.open(null, `add:${section}`);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <TextInput
        autoFocus
        aria-label={t("newQuestion")}
        placeholder={t("newQuestionHint")}
        maxLength={300}
        flex="1 1 220px"
        value={title}
        data-focus={`add:${section}`}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <NativeSelect
        aria-label={t("type")}
        w={150}
        value={type}
        onChange={({ currentTarget }) => setType(currentTarget.value as QuestionType)}
        data={questionTypes.map((value) => ({ value, label: t(`type_${value}`) }))}
      />
      <Button type="submit" disabled={title.trim() === ""}>
        {t("add")}
      </Button>
    </form>
  );
}
