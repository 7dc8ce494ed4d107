/** What the file of failures says about a row, beside the row itself. Read again as a manifest, they are passed over. */
export const ownColumns = ["hearback_line", "hearback_code", "hearback_reason", "hearback_fix"] as const;

export const isOwnColumn = (name: string): boolean => (ownColumns as readonly string[]).includes(name);

/** Whether a text begins as a file of failures does: with names of columns, also if the manifest had none. */
export function beginsAsFailures(head: string): boolean {
  const [first = ""] = head.split(/\r?\n/, 1);
  return [",", ";", "\t", "|"].some((separator) => first.endsWith(ownColumns.join(separator)));
}
