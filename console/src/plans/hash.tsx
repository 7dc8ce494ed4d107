import { CopyButton } from "../ui/form/copy-button.tsx";
import classes from "./plans.module.css";

/** A published value that people compare. */
export function Hash({ value, copy = false }: { readonly value: string; readonly copy?: boolean }) {
  return (
    <>
      <span className={classes.hash}>{value}</span> {copy && <CopyButton value={value} />}
    </>
  );
}
