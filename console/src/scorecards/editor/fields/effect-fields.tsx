import type { FailScope } from "@hearback/scoring/question";
import { Checkbox, NativeSelect } from "@mantine/core";
import type { DraftEffect } from "../../draft/draft-document.ts";
import { useTexts } from "../../texts.ts";
import classes from "../editor.module.css";

interface EffectFieldsProps {
  /** Label of the answer. */
  readonly answer: string;
  readonly effect: DraftEffect;
  readonly onChange: (change: DraftEffect) => void;
}

/** What an answer does besides its points: fail the section or the call, require a comment. */
export function EffectFields({ answer, effect, onChange }: EffectFieldsProps) {
  const { t } = useTexts();
  return (
    <>
      <NativeSelect
        size="xs"
        className={classes.failsField}
        aria-label={t("failsOf", { answer })}
        value={effect.fails ?? ""}
        data-fails={effect.fails}
        onChange={({ currentTarget }) =>
          onChange({ fails: (currentTarget.value || undefined) as FailScope | undefined })
        }
        data={[
          { value: "", label: t("failsNothing") },
          { value: "section", label: t("failsSection") },
          { value: "call", label: t("failsCall") },
        ]}
      />
      <Checkbox
        size="sm"
        className={classes.commentField}
        label={t("commentRequired")}
        aria-label={t("commentRequiredOf", { answer })}
        // Answers that fail always need one.
        checked={effect.comment === "required" || effect.fails !== undefined}
        disabled={effect.fails !== undefined}
        onChange={({ currentTarget }) => onChange({ comment: currentTarget.checked ? "required" : undefined })}
      />
    </>
  );
}
