import { Button, type ButtonProps } from "@mantine/core";
import type { ComponentProps } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { useFormat } from "../ui/use-format.ts";
import type { Player } from "./player.ts";
import { usePlayerState } from "./use-player.ts";

type SpeedButtonProps = { readonly player: Player } & ButtonProps & Omit<ComponentProps<"button">, "color">;

export function SpeedButton({ player, ...button }: SpeedButtonProps) {
  const { t } = useTexts("player");
  const format = useFormat();
  const { speed } = usePlayerState(player);
  return (
    <Button
      variant={speed === 1 ? "default" : "light"}
      className="tabular"
      px="sm"
      aria-label={t("speedOf", { speed: format.number(speed) })}
      aria-haspopup="menu"
      aria-expanded={false}
      {...button}
    >
      {`${format.number(speed)}×`}
    </Button>
  );
}
