import { Skeleton, Stack } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";

interface LoadingRowsProps {
  readonly rows?: number;
  /** The height of what will be there, so that nothing moves when it comes. */
  readonly height?: number;
}

export function LoadingRows({ rows = 6, height = 44 }: LoadingRowsProps) {
  const { t } = useTexts("ui");
  return (
    <Stack gap="xs" role="status" aria-label={t("loading")}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  );
}
