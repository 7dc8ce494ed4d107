import { readPreferences } from "../ui/preferences.ts";
import type { en } from "./en.ts";

export const languages = ["en", "fr"] as const;
export type Language = (typeof languages)[number];

/** The texts that are read now. Replaced as a whole, so that whoever holds it sees whether it is another. */
export interface Texts {
  readonly language: Language;
  /** A text with its values in it. Where there are forms for numbers, the one for `count`. Absent if there is none. */
  find(folder: keyof typeof en, key: string, values?: Values): string | undefined;
}

export type Values = Readonly<Record<string, string | number>>;
type Folders = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Only the language that is read is fetched. */
const bundles: Record<Language, () => Promise<Folders>> = {
  en: async () => (await import("./en.ts")).en,
  fr: async () => (await import("./fr.ts")).fr,
};

let current: Texts | undefined;
let wanted: Language | undefined;
const listeners = new Set<() => void>();

export function currentTexts(): Texts {
  if (!current) throw new Error("The texts are not fetched yet.");
  return current;
}

/** Calls back when another language is chosen. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export async function changeLanguage(language: Language): Promise<void> {
  wanted = language;
  const folders = await bundles[language]();
  // Another one was chosen while it came.
  if (wanted !== language) return;
  current = makeTexts(language, folders);
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

/** What was chosen here, or else what the browser asks for. */
export function preferredLanguage(): Language {
  const wanted = [readPreferences().language, ...navigator.languages].map((tag) => tag?.slice(0, 2));
  return languages.find((language) => wanted.find((tag) => languages.includes(tag as Language)) === language) ?? "en";
}

export function makeTexts(language: Language, folders: Folders): Texts {
  const numbers = new Intl.NumberFormat(language);
  const forms = new Intl.PluralRules(language);
  // "{{name}}" is the value as it is, "{{count, number}}" as numbers are written.
  const fill = (text: string, values: Values) =>
    text.replace(/{{\s*(\w+)(, number)?\s*}}/g, (_, name: string, asNumber?: string) =>
      asNumber ? numbers.format(Number(values[name])) : String(values[name] ?? ""),
    );
  return {
    language,
    find(folder, key, values = {}) {
      const texts = folders[folder] ?? {};
      const form = typeof values.count === "number" ? texts[`${key}_${forms.select(values.count)}`] : undefined;
      const text = form ?? (Object.hasOwn(texts, key) ? texts[key] : undefined);
      return text === undefined ? undefined : fill(text, values);
    },
  };
}
