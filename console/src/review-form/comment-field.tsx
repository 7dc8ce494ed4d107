import { answerLimits } from "@hearback/scoring/limits";
import { Button, Textarea } from "@mantine/core";
import { memo, useEffect, useRef, useState } from "react";
import { Icon } from "../ui/icon.tsx";
import { useTexts } from "./texts.ts";

interface CommentFieldProps {
  readonly comment: string | undefined;
  readonly required: boolean;
  readonly readOnly: boolean;
  /** Title of the question, for the accessible name of the button. */
  readonly title: string;
  /** Must be stable. */
  readonly onChange: (comment: string) => void;
}

/** Comment on an answer. A button until it is needed. Memoized: most answers do not change it. */
export const CommentField = memo(function CommentField(props: CommentFieldProps) {
  const { comment, required, readOnly, title, onChange } = props;
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);
  if (comment === undefined && !required && !isOpen) {
    if (readOnly) return null;
    return (
      <div>
        <Button
          variant="subtle"
          color="gray"
          c="dimmed"
          size="compact-xs"
          ml={-6}
          leftSection={<Icon name="plus" size={12} />}
          aria-label={t("addCommentTo", { title })}
          onClick={() => setOpen(true)}
        >
          {t("addComment")}
        </Button>
      </div>
    );
  }
  return (
    <Textarea
      ref={field}
      data-comment
      label={t("comment")}
      required={required}
      readOnly={readOnly}
      autosize
      minRows={2}
      maxRows={12}
      maxLength={answerLimits.comment}
      size="sm"
      value={comment ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={() => setOpen(false)}
    />
  );
});
