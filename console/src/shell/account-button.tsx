import type { SessionBody } from "@hearback/sdk";
import { ActionIcon, type ActionIconProps } from "@mantine/core";
import type { ComponentProps } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";

type AccountButtonProps = { readonly session: SessionBody } & ActionIconProps & Omit<ComponentProps<"button">, "color">;

export function AccountButton({ session, ...button }: AccountButtonProps) {
  const { t } = useTexts("shell");
  return (
    <ActionIcon
      {...{ variant: "subtle", color: "gray", size: "lg" }}
      aria-label={`${t("account")}: ${session.user.name}`}
      aria-haspopup="menu"
      aria-expanded={false}
      {...button}
    >
      <Icon name="user" size={20} />
    </ActionIcon>
  );
}
