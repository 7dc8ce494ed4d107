import { Skeleton, Stack } from "@mantine/core";
import { LoadingRows } from "../table/loading-rows.tsx";

export function PageLoading() {
  return (
    <Stack gap="lg">
      <Skeleton height={35} width={220} />
      <LoadingRows />
    </Stack>
  );
}
