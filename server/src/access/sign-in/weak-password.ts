import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Why a password is too easy to guess. */
export type Weakness = "password_common" | "password_repeated" | "password_sequential" | "password_personal";

/**
 * The 10,000 most common passwords and longer ones from further down the list, one per line. From @zxcvbn-ts/language-common
 * 4.1.3 (MIT license, see common-passwords.license.txt).
 */
const file = join(import.meta.dirname, "data/common-passwords.txt");
let common: Set<string> | undefined;
function isCommon(word: string): boolean {
  common ??= new Set(readFileSync(file, "utf8").trimEnd().split("\n"));
  return common.has(word);
}

/** Guessed early by attackers, so treated as personal information. */
const product = "hearback";
const minWordLength = 3;
/** Minimum characters that must remain after removing the guessable parts. */
const min = { beside: 7, personal: 8, distinct: 5, effective: 7 } as const;

/** Why the password is too easy to guess; undefined if it is not. `about`: names and email addresses of the user and workspace. */
export function weaknessOf(password: string, about: readonly string[]): Weakness | undefined {
  const text = password.normalize("NFKC").toLowerCase();
  if (isRepeated(text)) return "password_repeated";
  if (effectiveLength(text) < min.effective) return "password_sequential";
  if (isCommonVariant(text)) return "password_common";
  if (isPersonal(text, about)) return "password_personal";
  return undefined;
}

/** Few distinct characters, or one substring repeated. */
const isRepeated = (text: string) => new Set(text).size < min.distinct || /^(.{1,100}?)\1+$/su.test(text);

/** The alphabet, the digits and keyboard rows (QWERTY and AZERTY), in both directions. */
const rows = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "azertyuiop",
  "qsdfghjklm",
];
const steps = new Set(
  rows.flatMap((row) =>
    [...row].slice(1).flatMap((letter, at) => [`${row[at]}${letter}`, `${letter}${row[at]}`, `${letter}${letter}`]),
  ),
);

/** The length if every run, such as 1234, gfed, qwert or aaaa, is counted as two characters. */
function effectiveLength(text: string): number {
  const letters = [...text];
  let length = 0;
  for (let at = 0; at < letters.length; ) {
    let end = at + 1;
    while (end < letters.length && isStep(letters[end - 1] ?? "", letters[end] ?? "")) end += 1;
    length += end - at >= 3 ? 2 : end - at;
    at = end;
  }
  return length;
}

const isStep = (letter: string, next: string) => letter === next || steps.has(letter + next);

const leetSubstitutions: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "1": "i",
  "!": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
};

/** A common password, with or without a few digits and symbols around it or in place of letters. */
function isCommonVariant(text: string): boolean {
  if (isCommon(text)) return true;
  const core = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const beside = text.length - core.length;
  if (beside >= min.beside && effectiveLength(text.replace(core, "")) >= min.beside) return false;
  const plain = core.replace(/[@4310$57!]/g, (sign) => leetSubstitutions[sign] ?? sign);
  return [core, plain].some((word) => word.length >= minWordLength && (isCommon(word) || isCommon(halfOf(word))));
}

/** The half of a doubled word; otherwise the word. */
const halfOf = (word: string) => /^(.+)\1$/u.exec(word)?.[1] ?? word;

/** Little more than known facts about the user and the workspace. */
function isPersonal(text: string, about: readonly string[]): boolean {
  const known = [product, ...about].map((text) => text.normalize("NFKC").toLowerCase());
  const words = known
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length >= minWordLength);
  let rest = text;
  for (const word of words.sort((a, b) => b.length - a.length)) rest = rest.replaceAll(word, "");
  return rest !== text && effectiveLength(rest) < min.personal;
}
