import { Box, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";

interface PageProps {
  readonly title: string;
  readonly intro?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  /** Fill the window height; the content scrolls on its own. */
  readonly fill?: boolean;
  readonly children: ReactNode;
}

/** Page frame. Sets the document title and focuses the heading on pages without a navigation to skip. */
export function Page({ title, intro, actions, fill = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Hearback`;
    const nothing = document.activeElement === document.body;
    if (nothing && !heading.current?.closest("#content")) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <Stack gap={fill ? "sm" : "lg"} className={fill ? "page-fill" : undefined}>
      <Group justify="space-between" align="flex-start" gap="md">
        <Box>
          <Title order={1} size="h2" tabIndex={-1} ref={heading}>
            {title}
          </Title>
          {intro && (
            <Text c="dimmed" maw={720} mt={4}>
              {intro}
            </Text>
          )}
        </Box>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
