import { type Defect, quote } from "./finding-codes.ts";

const emailForm = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+$/;

/** Why a text is no e-mail address that the service takes. */
export function emailProblem(email: string): string | undefined {
  if (email.length > 254) return "which is longer than an e-mail address may be.";
  return emailForm.test(email) ? undefined : "which is no e-mail address.";
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** What no value may contain. U+FFFD stands where a sign was lost, when this file was read or when it was written. */
export function textProblem(value: string, column: string): Defect | undefined {
  if (controls.test(value)) return hasControls(value, column);
  if (value.isWellFormed() && !value.includes("\ufffd")) return undefined;
  return {
    code: "text_broken",
    detail: `The cell ${quote(column)} has signs that are no valid text: ${quote(value.toWellFormed())}.`,
    fix: "Save the manifest as UTF-8, all of it in one encoding, and correct this row.",
    column,
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const notInNames = /[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** What names and addresses may not contain beyond that: they are one line, and what is seen of them is what they are. */
export const nameProblem = (value: string, column: string): Defect | undefined =>
  notInNames.test(value) ? hasControls(value, column) : textProblem(value, column);

const hasControls = (value: string, column: string): Defect => ({
  code: "control_characters",
  detail: `The cell ${quote(column)} has control characters: ${quote(value)}.`,
  fix: "Remove them; they often come from a copy out of another program.",
  column,
});

export const longestName = 200;

const limits = { entries: 100, key: 128, value: 1024, bytes: 64 * 1024 } as const;

type Pair = { readonly key: string; readonly value: string };

/** What the service would not take as metadata. */
export function metadataProblem(metadata: readonly Pair[]): Defect | undefined {
  if (metadata.length > limits.entries)
    return {
      code: "metadata_too_many",
      detail: `The row has ${metadata.length} values as metadata; ${limits.entries} are the most.`,
      fix: 'Leave columns out of the export, or name those to keep in a mapping file, with "rest": "drop".',
    };
  let characters = 0;
  for (const { key, value } of metadata) {
    characters += key.length + value.length + 24;
    if (value.length > limits.value)
      return {
        code: "metadata_value_too_long",
        detail: `The value of ${quote(key)} has ${value.length} characters; ${limits.value} are the most: ${quote(value)}.`,
        fix: "Shorten it, or leave the column out.",
        column: key,
      };
  }
  // A character is three bytes at most where it is one unit, so that most rows need not be written out to be measured.
  if (characters * 3 < limits.bytes) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes <= limits.bytes) return undefined;
  return {
    code: "metadata_too_large",
    detail: `The metadata of the row has ${bytes} bytes in all; ${limits.bytes} are the most.`,
    fix: 'Leave columns out of the export, or name those to keep in a mapping file, with "rest": "drop".',
  };
}

export const keyProblem = (key: string): Defect | undefined =>
  key.trim() !== "" && key.length <= limits.key
    ? undefined
    : {
        code: "metadata_key_too_long",
        detail: `The name ${quote(key)} has ${key.length} characters; as a key of metadata it may have 1 to ${limits.key}.`,
        fix: "Shorten the name of the column, or map it: --map SHORT_NAME=COLUMN.",
        column: key,
      };
