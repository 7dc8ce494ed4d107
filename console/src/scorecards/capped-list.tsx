import { List } from "@mantine/core";
import { useTexts } from "./texts.ts";

interface CappedListProps {
  readonly items: readonly string[];
  readonly max: number;
}

/** The first items, and how many more there are. */
export function CappedList({ items, max }: CappedListProps) {
  const { t } = useTexts();
  return (
    <List size="sm" spacing={4} className="breakable">
      {items.slice(0, max).map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two items can be equal
        <List.Item key={index}>{item}</List.Item>
      ))}
      {items.length > max && <List.Item>{t("moreChanges", { count: items.length - max })}</List.Item>}
    </List>
  );
}
