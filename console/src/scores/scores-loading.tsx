import { Skeleton, Stack } from "@mantine/core";
import { useTexts } from "../ui/texts.ts";

/** Skeleton of a page of scores. */
export function ScoresLoading() {
  const { t } = useTexts();
  return (
    <Stack gap="lg" role="status" aria-label={t("loading")}>
      <Skeleton height={110} />
      <Skeleton height={340} />
      <Skeleton height={420} />
    </Stack>
  );
}
