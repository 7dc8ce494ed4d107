import { Badge, Group, VisuallyHidden } from "@mantine/core";
import type { Waiting } from "./use-navigation-badges.ts";

/** The API stops counting at 100. */
const countText = (count: number) => (count >= 100 ? "99+" : String(count));

/** Numbers of what waits for the user. The hidden text is part of the link's name. */
export function NavigationBadge({ waiting }: { readonly waiting: readonly Waiting[] }) {
  if (waiting.length === 0) return null;
  return (
    <Group component="span" gap={4} wrap="nowrap">
      {waiting.map(({ key, count, text, urgent }) => (
        <span key={key} title={text}>
          <Badge
            component="span"
            size="sm"
            variant="filled"
            className="tabular"
            {...(urgent && { color: "red" })}
            aria-hidden="true"
          >
            {countText(count)}
          </Badge>
          <VisuallyHidden>{text}</VisuallyHidden>
        </span>
      ))}
    </Group>
  );
}
