import { Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./scores.module.css";

interface TileProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly children?: ReactNode;
}

/** A number with what it is from. */
export function Tile({ label, value, children }: TileProps) {
  return (
    <Paper withBorder p="md" className={classes.tile ?? ""}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="div" fz={26} fw={700} lh={1.25} className="tabular">
        {value}
      </Text>
      <Text component="div" size="xs" c="dimmed" className="tabular">
        {children}
      </Text>
    </Paper>
  );
}
