import { Badge, Group } from "@mantine/core";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useTexts } from "./texts.ts";

/** When a review is due. */
export function DueDate({ at }: { readonly at: string }) {
  const { t } = useTexts();
  return (
    <Group component="span" gap={8} display="inline-flex">
      <Timestamp at={at} day />
      {Date.parse(at) < Date.now() && (
        <Badge component="span" variant="light" color="red" tt="none" fw={500}>
          {t("overdue")}
        </Badge>
      )}
    </Group>
  );
}
