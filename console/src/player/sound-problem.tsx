import { Alert, Button } from "@mantine/core";
import { Icon } from "../ui/icon.tsx";
import { useTexts as useUiTexts } from "../ui/texts.ts";
import type { Player } from "./engine/player.ts";
import { usePlayerState } from "./engine/use-player.ts";
import { useTexts } from "./texts.ts";

/** Audio loading error, for example a network failure. */
export function SoundProblem({ player }: { readonly player: Player }) {
  const { t } = useTexts();
  const ui = useUiTexts();
  const { broken } = usePlayerState(player);
  if (!broken) return null;
  return (
    <Alert color="red" variant="light" role="alert" icon={<Icon name="warning" />} title={t("soundBroken")}>
      <Button size="xs" variant="default" onClick={player.tryAgain} leftSection={<Icon name="refresh" size={14} />}>
        {ui.t("retry")}
      </Button>
    </Alert>
  );
}
