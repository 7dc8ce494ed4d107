import { Modal } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";

export interface DialogProps {
  readonly opened: boolean;
  readonly title: string;
  readonly size?: string | number;
  /** false: neither Escape nor a click beside it closes it. */
  readonly dismissible?: boolean;
  readonly onClose: () => void;
  /** Made anew each time: if these are the fields of a DialogForm, they begin afresh. */
  readonly children: ReactNode;
}

export function OpenDialog({ opened, dismissible = true, children, ...modal }: DialogProps) {
  const { t } = useTexts("ui");
  const [shown, setShown] = useState(false);
  // It opens while it is there: that is when it notes where the focus comes back to.
  useLayoutEffect(() => setShown(opened), [opened]);
  useLayoutEffect(() => (opened ? keepFocusAmongRows() : undefined), [opened]);
  return (
    <Modal
      {...modal}
      opened={opened && shown}
      closeOnEscape={dismissible}
      closeOnClickOutside={dismissible}
      withCloseButton={dismissible}
      closeButtonProps={{ "aria-label": t("close") }}
      transitionProps={{ duration: 0 }}
    >
      {children}
    </Modal>
  );
}

/** What was done may take away the button from which the dialog was opened: then the focus goes to the rows around it. */
function keepFocusAmongRows(): () => void {
  const from = document.activeElement;
  const rows = from?.closest<HTMLElement>("[data-rows]");
  // Once the rows are drawn anew, and the focus was to come back. On a screen that was turned they are others.
  const look = () => {
    if (!rows || from?.isConnected || document.activeElement !== document.body) return;
    (rows.isConnected ? rows : document.querySelector<HTMLElement>("[data-rows]"))?.focus();
  };
  return () => void setTimeout(look, 50);
}
