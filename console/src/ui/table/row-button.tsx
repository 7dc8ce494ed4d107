import { ActionIcon, type ActionIconProps } from "@mantine/core";
import type { ComponentProps } from "react";
import { Icon, type IconName } from "../icon.tsx";
import { useTexts } from "../texts.ts";

export interface RowAction {
  readonly label: string;
  readonly icon: IconName;
  readonly dangerous?: boolean;
  readonly onClick: () => void;
}

export interface RowMenuProps {
  /** Row name, for "Actions for Ann Lee". */
  readonly name: string;
  readonly actions: readonly RowAction[];
}

type RowButtonProps = ActionIconProps &
  Omit<ComponentProps<"button">, keyof ActionIconProps> & { readonly name: string };

export function RowButton({ name, ...button }: RowButtonProps) {
  const { t } = useTexts();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="var(--mantine-color-text)"
      size="lg"
      aria-label={t("actionsFor", { name })}
      aria-haspopup="menu"
      aria-expanded={false}
      {...button}
    >
      <Icon name="more" />
    </ActionIcon>
  );
}
