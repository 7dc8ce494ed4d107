import { Skeleton, Stack } from "@mantine/core";
import { LoadingRows } from "./loading-rows.tsx";

/** A page whose code or first data is on its way. */
export function PageLoading() {
  return (
    <Stack gap="lg">
      <Skeleton height={35} width={220} />
      <LoadingRows />
    </Stack>
  );
}
