import { posix } from "node:path";
import { type Defect, quote } from "../finding-codes.ts";

/** Normalizes a recording's path relative to the recordings folder. */
export function readFileName(value: string): { readonly file: string } | Defect {
  if (value === "")
    return {
      code: "file_name_missing",
      detail: "The row has no file name.",
      fix: "Fill in the file name of the recording, or remove the row.",
    };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value))
    return {
      code: "file_is_url",
      detail: `The file is a URL: ${quote(value)}.`,
      fix: "Download the recordings to the folder first, and use their file names.",
    };
  const slashed = value.replaceAll("\\", "/");
  if (/^(\/|[a-z]:)/i.test(slashed))
    return {
      code: "file_absolute",
      detail: `The file ${quote(value)} is an absolute path.`,
      fix: "Use a path relative to --recordings. To fix all rows, use a template: --map 'file={COLUMN|/recordings\\/(.*)/}'.",
    };
  const file =
    slashed.includes("./") || slashed.includes("//") || slashed.endsWith("/") ? posix.normalize(slashed) : slashed;
  if (file === ".." || file.startsWith("../"))
    return {
      code: "file_outside",
      detail: `The path ${quote(value)} leads outside the recordings folder.`,
      fix: "Use a file inside the folder, or pass the folder that contains all recordings with --recordings.",
    };
  return { file: file.endsWith("/") ? file.slice(0, -1) : file };
}
