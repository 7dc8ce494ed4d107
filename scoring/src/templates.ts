import { ScorecardDocument } from "./document.ts";
import { collectionsEn } from "./templates/collections-en.ts";
import { collectionsFr } from "./templates/collections-fr.ts";
import { salesEn } from "./templates/sales-en.ts";
import { salesFr } from "./templates/sales-fr.ts";
import { supportEn } from "./templates/support-en.ts";
import { supportFr } from "./templates/support-fr.ts";

const templates = {
  support: { en: supportEn, fr: supportFr },
  sales: { en: salesEn, fr: salesFr },
  collections: { en: collectionsEn, fr: collectionsFr },
};

export type TemplateName = keyof typeof templates;
export type TemplateLanguage = keyof (typeof templates)[TemplateName];

export const templateNames: readonly TemplateName[] = ["support", "sales", "collections"];
export const templateLanguages: readonly TemplateLanguage[] = ["en", "fr"];

/** A scorecard to start from. Ids and weights are the same in every language. */
export const template = (name: TemplateName, language: TemplateLanguage): ScorecardDocument =>
  ScorecardDocument.parse(templates[name][language]);
