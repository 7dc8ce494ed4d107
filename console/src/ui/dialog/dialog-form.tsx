import { Button, Group, Stack } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { Problem } from "../feedback/problem.tsx";
import { useTexts } from "../texts.ts";

interface DialogFormProps {
  /** Button label. */
  readonly action: string;
  readonly dangerous?: boolean;
  readonly pending?: boolean;
  readonly disabled?: boolean;
  readonly error?: unknown;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Form in a dialog, with error, cancel and submit. The browser validates the fields before onSubmit. */
export function DialogForm({ action, dangerous, pending, disabled, error, ...props }: DialogFormProps) {
  const { t } = useTexts();
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
