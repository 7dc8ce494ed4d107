import { Group, Text } from "@mantine/core";

interface StatusBadgeProps {
  readonly color: "green" | "blue" | "orange" | "red" | "gray";
  readonly children: string;
}

/** Status with a coloured dot. The text carries the meaning. */
export function StatusBadge({ color, children }: StatusBadgeProps) {
  return (
    <Group component="span" gap={8} wrap="nowrap" display="inline-flex">
      <span className="dot" style={{ background: `var(--mantine-color-${color}-7)` }} />
      <Text span inherit style={{ whiteSpace: "nowrap" }}>
        {children}
      </Text>
    </Group>
  );
}
