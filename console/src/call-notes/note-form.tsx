import { Button, Group, Stack, Textarea } from "@mantine/core";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { Problem } from "../ui/feedback/problem.tsx";
import { useTexts as useUiTexts } from "../ui/texts.ts";
import { useFormat } from "../ui/time/use-format.ts";
import { useSaveNote } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface NoteFormProps {
  readonly callId: string;
  /** Absent: a new note. */
  readonly id?: string;
  readonly positionMs: number;
  readonly text?: string;
  readonly onClose: () => void;
}

/** Writes or edits a note. Enter saves, Shift+Enter starts a new line, Escape cancels. */
export function NoteForm({ callId, id, positionMs, text: before = "", onClose }: NoteFormProps) {
  const { t } = useTexts();
  const ui = useUiTexts();
  const format = useFormat();
  const save = useSaveNote(callId);
  const [text, setText] = useState(before);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === "" || save.isPending) return;
    save.mutate({ id, positionMs, text: text.trim() }, { onSuccess: onClose });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Textarea
          label={t("addAt", { time: format.duration(positionMs) })}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          autoFocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {save.error && <Problem error={save.error} brief />}
        <Group gap="xs" justify="flex-end">
          <Button size="xs" variant="default" onClick={onClose}>
            {ui.t("cancel")}
          </Button>
          <Button size="xs" type="submit" disabled={text.trim() === ""} loading={save.isPending}>
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
