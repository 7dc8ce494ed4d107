import { Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface SectionProps {
  readonly title: string;
  readonly intro?: string;
  /** For sections in a grid. */
  readonly small?: boolean;
  readonly children: ReactNode;
}

/** Framed section of a page. */
export function Section({ title, intro, small = false, children }: SectionProps) {
  const id = useId();
  return (
    <Paper component="section" withBorder p={small ? "md" : { base: "md", sm: "lg" }} aria-labelledby={id}>
      <Stack gap={small ? "sm" : "md"}>
        <div>
          <Title order={2} size={small ? "h5" : "h4"} id={id}>
            {title}
          </Title>
          {intro && (
            <Text c="dimmed" size="sm">
              {intro}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  );
}
