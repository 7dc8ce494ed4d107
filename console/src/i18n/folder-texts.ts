import { useEffect, useSyncExternalStore } from "react";
import { type FindText, makeFindText, type Texts, type Values } from "./fill-text.ts";
import { addFolder, currentLanguage, type Language, onLanguage } from "./language.ts";

type Load<Loaded> = () => Promise<{ readonly default: Loaded }>;
/** French needs every English key, and a third form of every plural, used for millions. */
type French<English> = Readonly<Record<keyof English | Third<keyof English>, string>>;
type Third<Key> = Key extends `${infer Name}_other` ? `${Name}_many` : never;
/** Plural texts are used by their stem: `calls_one` and `calls_other` are `calls`. */
type Stem<Key> = Key extends `${infer Name}_one` ? Name : Key extends `${string}_other` ? never : Key;

export interface LoadedTexts<Key extends string> {
  readonly t: (key: Key, values?: Values) => string;
  /** For keys that are not known when compiling, such as error codes of the API. */
  readonly find: FindText;
  readonly language: Language;
}

export type KeyOf<UseTexts extends () => LoadedTexts<never>> = Parameters<ReturnType<UseTexts>["t"]>[0];

/**
 * Hook for the texts of a folder in the current language. The texts are loaded with the first code that uses them, see
 * `withTexts`; only in the current language.
 */
export function folderTexts<English extends Texts>(load: {
  readonly en: Load<English>;
  readonly fr: Load<French<English>>;
}): () => LoadedTexts<Stem<keyof English> & string> {
  const { loaded, loadOnce } = makeStore(load);
  addFolder(loadOnce);

  return function useTexts() {
    const texts = loaded.get(useLanguage());
    if (!texts) throw new Error("The texts of this folder are not loaded.");
    return texts;
  };
}

/**
 * Hook for texts that no first paint needs, such as those of errors. They are loaded after the first render that uses
 * the hook; until then no text is found.
 */
export function deferredTexts(load: Readonly<Record<Language, Load<Texts>>>): () => FindText {
  const { loaded, loadOnce } = makeStore(load);
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return function useTexts() {
    const language = useLanguage();
    useEffect(() => {
      // Without these texts, the English message of the API is shown.
      loadOnce(language).then(notify, () => {});
    }, [language]);
    return useSyncExternalStore(subscribe, () => loaded.get(language)?.find) ?? findNothing;
  };
}

const findNothing: FindText = () => undefined;

/** Texts by language, each loaded once, unless loading it failed. */
function makeStore(load: Readonly<Record<Language, Load<Texts>>>) {
  const loaded = new Map<Language, LoadedTexts<string>>();
  const pending = new Map<Language, Promise<void>>();

  async function loadTexts(language: Language): Promise<void> {
    try {
      const { default: texts } = await load[language]();
      const find = makeFindText(language, texts);
      loaded.set(language, { t: (key, values) => find(key, values) ?? key, find, language });
    } catch (error) {
      pending.delete(language);
      throw error;
    }
  }

  function loadOnce(language: Language): Promise<void> {
    const promise = pending.get(language) ?? loadTexts(language);
    pending.set(language, promise);
    return promise;
  }
  return { loaded, loadOnce };
}

export const useLanguage = (): Language => useSyncExternalStore(onLanguage, currentLanguage);
