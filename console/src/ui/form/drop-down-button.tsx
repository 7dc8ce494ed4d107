import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode, Ref } from "react";

export interface DropDownProps extends Omit<ButtonProps, "children"> {
  readonly label: ReactNode;
  readonly width: number;
  readonly position?: "bottom-start" | "bottom-end";
  readonly children: (close: () => void) => ReactNode;
}

interface DropDownButtonProps extends DropDownProps {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onClick: () => void;
  readonly onPointerEnter?: () => void;
  readonly onFocus?: () => void;
}

export function DropDownButton(props: DropDownButtonProps) {
  const { label, width: _, position: __, children: ___, ...button } = props;
  return (
    <Button aria-haspopup="dialog" aria-expanded={false} {...button}>
      {label}
    </Button>
  );
}
