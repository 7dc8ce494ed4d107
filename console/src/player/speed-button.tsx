import { Button, type ButtonProps } from "@mantine/core";
import type { ComponentProps } from "react";
import { useFormat } from "../ui/time/use-format.ts";
import type { Player } from "./engine/player.ts";
import { usePlayerState } from "./engine/use-player.ts";
import { useTexts } from "./texts.ts";

type SpeedButtonProps = { readonly player: Player } & ButtonProps & Omit<ComponentProps<"button">, "color">;

export function SpeedButton({ player, ...button }: SpeedButtonProps) {
  const { t } = useTexts();
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
