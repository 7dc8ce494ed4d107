import { Badge, Group, Text } from "@mantine/core";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useTexts } from "./texts.ts";

interface DueDateProps {
  readonly at: string | null;
  /** Whether a review that is late matters: the session is open. */
  readonly isOpen: boolean;
}

/** When the participants should be done. */
export function DueDate({ at, isOpen }: DueDateProps) {
  const { t } = useTexts();
  if (at === null)
    return (
      <Text span inherit c="dimmed">
        {t("noDueDate")}
      </Text>
    );
  return (
    <Group component="span" gap={8} display="inline-flex">
      <Timestamp at={at} day />
      {isOpen && Date.parse(at) < Date.now() && (
        <Badge component="span" variant="light" color="red" tt="none" fw={500}>
          {t("overdue")}
        </Badge>
      )}
    </Group>
  );
}
