/** Columns that the failures file adds to a row. Ignored when the file is imported as a manifest. */
export const failureColumns = ["hearback_line", "hearback_code", "hearback_reason", "hearback_fix"] as const;

export const isFailureColumn = (name: string): boolean => (failureColumns as readonly string[]).includes(name);

/** Whether a text starts with the header of a failures file. It has a header even if the manifest had none. */
export function isFailuresFile(head: string): boolean {
  const [first = ""] = head.split(/\r?\n/, 1);
  return [",", ";", "\t", "|"].some((separator) => first.endsWith(failureColumns.join(separator)));
}
