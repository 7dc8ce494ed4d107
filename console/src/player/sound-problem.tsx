import { Alert, Button } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import type { Player } from "./player.ts";
import { usePlayerState } from "./use-player.ts";

/** The sound cannot be had: the network, or the object store, is away. */
export function SoundProblem({ player }: { readonly player: Player }) {
  const { t } = useTexts("player");
  const ui = useTexts("ui");
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
