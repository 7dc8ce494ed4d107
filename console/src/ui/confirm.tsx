import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./problem.tsx";

interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  /** The verb on the button: what happens. */
  readonly action: string;
  readonly dangerous?: boolean;
  readonly pending?: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before something that cannot simply be taken back. */
export function Confirm({ opened, title, action, dangerous, pending, error, ...props }: ConfirmProps) {
  const { t } = useTexts("ui");
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
