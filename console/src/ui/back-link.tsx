import { Group } from "@mantine/core";
import { Icon } from "./icon.tsx";
import { TextLink } from "./text-link.tsx";

/** Link to the page above. */
export function BackLink({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <TextLink to={to} size="sm" w="fit-content">
      <Group gap={6} wrap="nowrap">
        <Icon name="back" size={14} />
        <span className="breakable">{children}</span>
      </Group>
    </TextLink>
  );
}
