import { Skeleton, Stack } from "@mantine/core";
import { useTexts as useUiTexts } from "../ui/texts.ts";
import styles from "./call-page.module.css";

/** Skeleton with the final size. */
export function CallSkeleton() {
  const ui = useUiTexts();
  return (
    <Stack gap="lg" role="status" aria-label={ui.t("loading")}>
      <Skeleton className={styles.place} />
      <Skeleton height={180} />
    </Stack>
  );
}
