import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Problem } from "../feedback/problem.tsx";
import { useTexts } from "../texts.ts";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  /** Button label. */
  readonly action: string;
  readonly dangerous?: boolean;
  readonly pending?: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Confirmation dialog. */
export function Confirm({ opened, title, action, dangerous, pending, error, ...props }: ConfirmProps) {
  const { t } = useTexts();
  return (
    <Dialog opened={opened} title={title} onClose={props.onClose}>
      <Stack>
        <div>{props.children}</div>
        {error != null && <Problem error={error} />}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={props.onClose}>
            {t("cancel")}
          </Button>
          <Button {...(dangerous && { color: "red" })} loading={pending ?? false} onClick={props.onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
