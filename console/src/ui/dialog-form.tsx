import { Button, Group, Stack } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Problem } from "./problem.tsx";

interface DialogFormProps {
  /** The verb on the button: what happens. */
  readonly action: string;
  readonly dangerous?: boolean;
  readonly pending?: boolean;
  readonly disabled?: boolean;
  readonly error?: unknown;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The fields of a dialog, what went wrong, and the two ways out. Fields are checked by the browser before onSubmit. */
export function DialogForm({ action, dangerous, pending, disabled, error, ...props }: DialogFormProps) {
  const { t } = useTexts("ui");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending) props.onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {props.children}
        {error != null && <Problem error={error} />}
        <Group justify="flex-end" className="dialog-actions">
          <Button variant="default" onClick={props.onClose}>
            {t("cancel")}
          </Button>
          <Button
            type="submit"
            {...(dangerous && { color: "red" })}
            loading={pending ?? false}
            disabled={disabled ?? false}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
