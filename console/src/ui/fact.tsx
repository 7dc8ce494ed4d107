import { Text } from "@mantine/core";
import type { ReactNode } from "react";

/** Label and value in a definition list. */
export function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {title}
      </Text>
      <dd>{children}</dd>
    </div>
  );
}
