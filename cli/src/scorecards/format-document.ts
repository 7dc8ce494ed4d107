import { stringify } from "yaml";
import { isJsonFile } from "./parse-text.ts";

/** The order of members in files. The service returns them in another one. Unknown members follow in their order. */
const order = [
  ...[
    "format",
    "id",
    "name",
    "title",
    "label",
    "description",
    "language",
    "guidance",
    "type",
    "weight",
    "from",
    "to",
    "points",
  ],
  ...["passing_score", "not_applicable", "fail", "release", "dispute_days", "dispute_levels", "tags", "max_points"],
  ...["options", "bands", "yes", "no", "fails", "comment", "when", "question", "is", "all", "any"],
  ...["questions", "sections"],
];
const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);

const isDefault = (name: string, value: unknown) =>
  (name === "not_applicable" && value === false) || (name === "tags" && Array.isArray(value) && value.length === 0);

/** Sorts the members and omits what every question has by default. Files stay short, and differences in git readable. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isDefault(name, member))
      .toSorted(([a], [b]) => rank(a) - rank(b))
      .map(([name, member]) => [name, tidy(member)]),
  );
}

/** A document as the text of a file: JSON if its name ends with .json, otherwise YAML. */
export function formatDocument(document: unknown, file: string): string {
  const tidied = tidy(document);
  if (isJsonFile(file)) return `${JSON.stringify(tidied, null, 2)}\n`;
  // YAML 1.1, which many tools still read, takes an unquoted yes or no for true or false.
  return stringify(tidied, { lineWidth: 120, compat: "yaml-1.1" });
}
