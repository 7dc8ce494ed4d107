import { Skeleton, Stack } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import styles from "./player.module.css";

/** As large as what comes under the title. */
export function CallSkeleton() {
  const ui = useTexts("ui");
  return (
    <Stack gap="lg" role="status" aria-label={ui.t("loading")}>
      <Skeleton className={styles.place} />
      <Skeleton height={180} />
    </Stack>
  );
}
