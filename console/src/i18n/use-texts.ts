import { useMemo, useSyncExternalStore } from "react";
import type { en } from "./en.ts";
import { currentTexts, onLanguage, type Texts, type Values } from "./texts.ts";

type Folders = typeof en;
/** A text with forms for numbers is asked for by its stem: `calls_one` and `calls_other` are `calls`. */
type Stem<Key> = Key extends `${infer Name}_one` ? Name : Key extends `${string}_other` ? never : Key;

export type TextKey<Folder extends keyof Folders> = Stem<keyof Folders[Folder]> & string;
export type Translate<Folder extends keyof Folders> = (key: TextKey<Folder>, values?: Values) => string;

/** The texts of one folder in the reader's language, and the language itself for dates and numbers. */
export function useTexts<Folder extends keyof Folders>(folder: Folder) {
  const texts = useAllTexts();
  const t: Translate<Folder> = useMemo(() => (key, values) => texts.find(folder, key, values) ?? key, [texts, folder]);
  return { t, language: texts.language };
}

export const useAllTexts = (): Texts => useSyncExternalStore(onLanguage, currentTexts);
