import { deferredTexts } from "../../i18n/folder-texts.ts";

/** Finds the texts of error codes (`code_`), of problems of a field (`field_`) and the names of fields (`part_`). */
export const useErrorText = deferredTexts({ en: () => import("./en.json"), fr: () => import("./fr.json") });
