import { Modal } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { useTexts } from "../texts.ts";

export interface DialogProps {
  readonly opened: boolean;
  readonly title: string;
  readonly size?: string | number;
  /** false: neither Escape nor an outside click closes it. */
  readonly dismissible?: boolean;
  readonly onClose: () => void;
  /** Remounted on each open, so that forms start empty. */
  readonly children: ReactNode;
}

export function OpenDialog({ opened, dismissible = true, children, ...modal }: DialogProps) {
  const { t } = useTexts();
  const [shown, setShown] = useState(false);
  // Opens after mount, because that is when Mantine stores the element to return the focus to.
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

/** If the action removed the opener, the focus moves to the table around it, or to the heading if no rows are left. */
function keepFocusAmongRows(): () => void {
  const from = document.activeElement;
  const rows = from?.closest<HTMLElement>("[data-rows]");
  // Runs after the table has rendered. After a screen rotation the table is a new element.
  const look = () => {
    if (!rows || from?.isConnected || document.activeElement !== document.body) return;
    const remaining = rows.isConnected ? rows : document.querySelector<HTMLElement>("[data-rows]");
    (remaining ?? document.querySelector("h1"))?.focus();
  };
  return () => void setTimeout(look, 50);
}
