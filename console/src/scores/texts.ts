import { folderTexts } from "../i18n/folder-texts.ts";

export const useTexts = folderTexts({ en: () => import("./en.json"), fr: () => import("./fr.json") });
