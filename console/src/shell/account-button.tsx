import type { SessionBody } from "@hearback/sdk";
import { ActionIcon, type ActionIconProps } from "@mantine/core";
import type { ComponentProps } from "react";
import { Icon } from "../ui/icon.tsx";
import { initialsOf } from "./initials.ts";
import { useTexts } from "./texts.ts";

type AccountButtonProps = { readonly session: SessionBody } & ActionIconProps & Omit<ComponentProps<"button">, "color">;

export function AccountButton({ session, ...button }: AccountButtonProps) {
  const { t } = useTexts();
  const { name } = session.user;
  const initials = initialsOf(name);
  return (
    <ActionIcon
      variant="light"
      size="lg"
      radius="xl"
      fz="xs"
      fw={700}
      // Contains the visible text, for users of voice control.
      aria-label={initials ? t("accountOf", { name, initials }) : t("account")}
      aria-haspopup="menu"
      aria-expanded={false}
      {...button}
    >
      {initials ? initials : <Icon name="user" size={20} />}
    </ActionIcon>
  );
}
