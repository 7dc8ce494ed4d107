import { Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { Icon } from "../ui/icon.tsx";
import { type OpenedDraft, reviewScreenLink } from "./review-screen-link.ts";
import { useTexts } from "./texts.ts";

const LinkButton = createLink((props: ButtonProps & Omit<ComponentProps<"a">, keyof ButtonProps>) => (
  <Button component="a" {...props} />
));

interface ContinueButtonProps extends ButtonProps {
  /** Own draft. */
  readonly draft: OpenedDraft;
  readonly "aria-label"?: string;
}

/** Opens a draft on the review screen. */
export function ContinueButton({ draft, ...button }: ContinueButtonProps) {
  const { t } = useTexts();
  return (
    <LinkButton {...reviewScreenLink(draft)} rightSection={<Icon name="chevronRight" size={14} />} {...button}>
      {t("continue")}
    </LinkButton>
  );
}
