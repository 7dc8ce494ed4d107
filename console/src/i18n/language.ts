import { readPreferences } from "../preferences.ts";

export const languages = ["en", "fr"] as const;
export type Language = (typeof languages)[number];

/** Loads the texts of one folder. Repeated calls return the same promise unless it failed. */
type LoadFolder = (language: Language) => Promise<void>;

const folders = new Set<LoadFolder>();
const listeners = new Set<() => void>();
let current: Language | undefined;
let wanted: Language | undefined;

export function currentLanguage(): Language {
  if (!current) throw new Error("The texts are not loaded yet.");
  return current;
}

/** Calls the listener when the language changes. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Makes the folder's texts part of every language change and of `withTexts`. */
export function addFolder(load: LoadFolder): void {
  folders.add(load);
}

export async function changeLanguage(language: Language): Promise<void> {
  wanted = language;
  await loadFolders(language);
  // The language changed again while this one was loading.
  if (wanted !== language) return;
  current = language;
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

/** Loads code, then the texts of the folders that the code has added. */
export async function withTexts<Module>(module: Promise<Module>): Promise<Module> {
  const loaded = await module;
  if (current) await loadFolders(current);
  // A language change may be in progress, or begin while texts are loading.
  for (let language: Language | undefined; wanted && language !== wanted; ) {
    language = wanted;
    await loadFolders(language);
  }
  return loaded;
}

async function loadFolders(language: Language): Promise<void> {
  await Promise.all([...folders].map((load) => load(language)));
}

/** Stored preference, else the browser's language. */
export function preferredLanguage(): Language {
  const wanted = [readPreferences().language, ...navigator.languages].map((tag) => tag?.slice(0, 2));
  return languages.find((language) => wanted.find((tag) => languages.includes(tag as Language)) === language) ?? "en";
}
