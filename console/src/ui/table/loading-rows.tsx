import { Skeleton, Stack } from "@mantine/core";
import { useTexts } from "../texts.ts";

interface LoadingRowsProps {
  readonly rows?: number;
  /** Height of the final rows, to avoid layout shifts. */
  readonly height?: number;
}

export function LoadingRows({ rows = 6, height = 44 }: LoadingRowsProps) {
  const { t } = useTexts();
  return (
    <Stack gap="xs" role="status" aria-label={t("loading")}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  );
}
