import { VisuallyHidden } from "@mantine/core";
import { memo, useEffect, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import styles from "../review.module.css";
import { useTexts } from "../texts.ts";
import type { DraftState } from "./open-draft.ts";

/** "Saving…" is shown only if it takes longer. */
const steadyMs = 250;

interface SaveStatusProps extends Pick<DraftState, "status" | "isKept"> {
  readonly isStarted: boolean;
}

/** Whether the answers are saved. */
export const SaveStatus = memo(function SaveStatus({ status, isKept, isStarted }: SaveStatusProps) {
  const { t } = useTexts();
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (status !== "saving") return;
    const timer = window.setTimeout(() => setSlow(true), steadyMs);
    return () => window.clearTimeout(timer);
  }, [status]);
  if (!isStarted && status === "saved") return null;
  const shown = status === "saving" && !isSlow ? "saved" : status;
  const texts = {
    saved: t("saved"),
    saving: t("saving"),
    offline: t(isKept ? "statusOffline" : "statusOfflineNotKept"),
    refused: t("statusRefused"),
    stopped: t("statusStopped"),
  };
  return (
    <>
      <span className={styles.status} data-status={shown} aria-hidden="true">
        <Icon name={shown === "saved" ? "check" : shown === "saving" ? "refresh" : "warning"} size={13} />
        {texts[shown]}
      </span>
      {/* Announced when it changes. Each single save is not. */}
      <VisuallyHidden role="status">{texts[status === "saving" ? "saved" : status]}</VisuallyHidden>
    </>
  );
});
