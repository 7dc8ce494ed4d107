import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon, type IconName } from "../icon.tsx";

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}

/** Placeholder of an empty list, with next steps. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <Icon name={icon} size={36} />
      <Text fw={600} size="lg">
        {title}
      </Text>
      {children}
    </Stack>
  );
}
