import { Text } from "@mantine/core";
import { memo } from "react";
import type { DraftEffect, DraftQuestion } from "../../draft/draft-document.ts";
import { changeQuestion, patch } from "../../draft/draft-operations.ts";
import { useTexts } from "../../texts.ts";
import classes from "../editor.module.css";
import { useEditor } from "../editor-context.ts";
import { EffectFields } from "./effect-fields.tsx";

type YesNoFieldsProps = Pick<DraftQuestion, "id" | "yes" | "no">;

/** What yes and no do. */
export const YesNoFields = memo(function YesNoFields({ id, ...question }: YesNoFieldsProps) {
  const { t } = useTexts();
  const editor = useEditor();
  const change = (answer: "yes" | "no", part: DraftEffect) => {
    const effect = patch<DraftEffect>(question[answer] ?? {}, part);
    const value = Object.keys(effect).length > 0 ? effect : undefined;
    editor.apply((before) => changeQuestion(before, id, { [answer]: value }));
  };
  return (
    <fieldset className={classes.group}>
      <legend>{t("answers")}</legend>
      {(["yes", "no"] as const).map((answer) => (
        <div key={answer} className={classes.answer}>
          <Text size="sm" className={classes.answerLabel}>
            {t(answer)}
          </Text>
          <Text size="sm" c="dimmed" className={classes.answerPoints}>
            {t(answer === "yes" ? "allPoints" : "noPoints")}
          </Text>
          <EffectFields answer={t(answer)} effect={question[answer] ?? {}} onChange={(part) => change(answer, part)} />
        </div>
      ))}
    </fieldset>
  );
});
