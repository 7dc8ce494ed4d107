import { Group, Progress, Text } from "@mantine/core";
import { useId } from "react";

interface MeterProps {
  readonly label: string;
  /** "12 of 200". */
  readonly says: string;
  readonly detail?: string;
  /** Used share, 0 to 1. Absent: no limit. */
  readonly share?: number | undefined;
}

export function Meter({ label, says, detail, share }: MeterProps) {
  const id = useId();
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text id={id} size="sm" fw={600}>
          {label}
        </Text>
        <Text size="sm" className="tabular">
          {says}
        </Text>
      </Group>
      {share !== undefined && (
        <Progress.Root size="sm">
          <Progress.Section
            value={Math.min(100, share * 100)}
            color={share >= 0.9 ? "red" : share >= 0.75 ? "orange" : "sea"}
            aria-labelledby={id}
            aria-valuetext={says}
          />
        </Progress.Root>
      )}
      {detail && (
        <Text size="sm" c="dimmed" mt={4}>
          {detail}
        </Text>
      )}
    </div>
  );
}
