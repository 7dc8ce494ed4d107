import { folderTexts, type KeyOf } from "../i18n/folder-texts.ts";

export const useTexts = folderTexts({ en: () => import("./en.json"), fr: () => import("./fr.json") });
export type TextKey = KeyOf<typeof useTexts>;
export type Translate = ReturnType<typeof useTexts>["t"];
