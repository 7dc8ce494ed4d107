import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { tell } from "../ui/tell.tsx";
import { linkTo } from "./link.ts";
import type { Player } from "./player.ts";

/** Copies a link to the moment one is at. Without https browsers have no clipboard: then it is there to be taken by hand. */
export function useCopyLink(callId: string, player: Player) {
  const { t } = useTexts("player");
  const [byHand, setByHand] = useState<string>();
  const copy = async () => {
    const link = linkTo(callId, player.nowMs());
    try {
      await navigator.clipboard.writeText(link);
      setByHand(undefined);
      tell(t("linkCopied"));
    } catch {
      setByHand(link);
    }
  };
  return { copyLink: () => void copy(), byHand, forget: () => setByHand(undefined) };
}
