import { Paper } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./reviews.module.css";

/** Actions that stay in view at the bottom of a long page. */
export const ActionBar = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <Paper component="section" aria-label={label} withBorder className={classes.actionBar}>
    {children}
  </Paper>
);
