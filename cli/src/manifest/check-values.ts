import { type Defect, quote } from "./finding-codes.ts";

const emailPattern = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+$/;

/** Why the service would reject an email address. */
export function emailProblem(email: string): string | undefined {
  if (email.length > 254) return "which is too long for an email address.";
  return emailPattern.test(email) ? undefined : "which is not an email address.";
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches them on purpose
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** Rejects control characters and invalid text. U+FFFD marks a character that was lost when the file was read or written. */
export function textProblem(value: string, column: string): Defect | undefined {
  if (controls.test(value)) return hasControls(value, column);
  if (value.isWellFormed() && !value.includes("\ufffd")) return undefined;
  return {
    code: "text_broken",
    detail: `The cell ${quote(column)} contains invalid characters: ${quote(value.toWellFormed())}.`,
    fix: "Save the whole manifest in one encoding, as UTF-8, and correct this row.",
    column,
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches them on purpose
const notInNames = /[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Also rejects line breaks and bidi characters, which names and addresses must not contain. */
export const nameProblem = (value: string, column: string): Defect | undefined =>
  notInNames.test(value) ? hasControls(value, column) : textProblem(value, column);

const hasControls = (value: string, column: string): Defect => ({
  code: "control_characters",
  detail: `The cell ${quote(column)} contains control characters: ${quote(value)}.`,
  fix: "Remove them. They often come from copying out of another program.",
  column,
});

export const maxNameLength = 200;

const limits = { entries: 100, key: 128, value: 1024, bytes: 64 * 1024 } as const;

type Pair = { readonly key: string; readonly value: string };

/** Why the service would reject the metadata. */
export function metadataProblems(metadata: readonly Pair[]): Defect[] {
  const defects: Defect[] = [];
  if (metadata.length > limits.entries)
    defects.push({
      code: "metadata_too_many",
      detail: `The row has ${metadata.length} metadata values; the maximum is ${limits.entries}.`,
      fix: removeColumns,
    });
  let characters = 0;
  for (const { key, value } of metadata) {
    characters += key.length + value.length + 24;
    if (value.length > limits.value)
      defects.push({
        code: "metadata_value_too_long",
        detail: `The value of ${quote(key)} has ${value.length} characters; the maximum is ${limits.value}: ${quote(value)}.`,
        fix: "Shorten it, or remove the column.",
        column: key,
      });
  }
  // A UTF-16 code unit takes at most 3 bytes, so most rows need no exact measurement.
  if (characters * 3 < limits.bytes) return defects;
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > limits.bytes)
    defects.push({
      code: "metadata_too_large",
      detail: `The metadata of the row has ${bytes} bytes; the maximum is ${limits.bytes}.`,
      fix: removeColumns,
    });
  return defects;
}

const removeColumns =
  'Remove columns from the export, or list the columns to keep in a mapping file with "rest": "drop".';

export const keyProblem = (key: string): Defect | undefined =>
  key.trim() !== "" && key.length <= limits.key
    ? undefined
    : {
        code: "metadata_key_too_long",
        detail: `The column name ${quote(key)} has ${key.length} characters; a metadata key may have 1 to ${limits.key}.`,
        fix: "Shorten the column name, or map it: --map SHORT_NAME=COLUMN.",
        column: key,
      };
