import { posix } from "node:path";
import { type Defect, quote } from "./finding-codes.ts";

/** Where a recording is below the folder of recordings, as the manifest names it. */
export function readFileName(value: string): { readonly file: string } | Defect {
  if (value === "")
    return {
      code: "file_name_missing",
      detail: "The row names no file.",
      fix: "Fill in the name of the recording, or remove the row.",
    };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value))
    return {
      code: "file_is_url",
      detail: `The file is the address ${quote(value)}.`,
      fix: "Download the recordings into the folder first, and name the files.",
    };
  const slashed = value.replaceAll("\\", "/");
  if (/^(\/|[a-z]:)/i.test(slashed))
    return {
      code: "file_absolute",
      detail: `The file ${quote(value)} is an absolute path.`,
      fix: "Name it below the folder given with --recordings; for all rows, a template cuts the beginning off: --map 'file={COLUMN|/recordings\\/(.*)/}'.",
    };
  const file =
    slashed.includes("./") || slashed.includes("//") || slashed.endsWith("/") ? posix.normalize(slashed) : slashed;
  if (file === ".." || file.startsWith("../"))
    return {
      code: "file_outside",
      detail: `The file ${quote(value)} leads out of the folder of recordings.`,
      fix: "Name a file within it, or state the folder that holds all of them with --recordings.",
    };
  return { file: file.endsWith("/") ? file.slice(0, -1) : file };
}
