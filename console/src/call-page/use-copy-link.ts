import { useState } from "react";
import type { Player } from "../player/engine/player.ts";
import { toast } from "../ui/feedback/toast.tsx";
import { momentLink } from "./moment-link.ts";
import { useTexts } from "./texts.ts";

/** Copies a link to the current moment. Without HTTPS there is no clipboard API, so the link is shown instead. */
export function useCopyLink(callId: string, player: Player) {
  const { t } = useTexts();
  const [byHand, setByHand] = useState<string>();
  const copy = async () => {
    const link = momentLink(callId, player.nowMs());
    try {
      await navigator.clipboard.writeText(link);
      setByHand(undefined);
      toast(t("linkCopied"));
    } catch {
      setByHand(link);
    }
  };
  return { copyLink: () => void copy(), byHand, forget: () => setByHand(undefined) };
}
