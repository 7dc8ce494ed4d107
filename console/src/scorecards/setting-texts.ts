import type { DraftSettings } from "./draft/draft-document.ts";
import type { Translate } from "./texts.ts";

/** The settings of a scorecard in words. Absent ones have their defaults. */
export function settingTexts(settings: Omit<DraftSettings, "name">, t: Translate): string[] {
  const { passing_score: passing, not_applicable, fail, release, dispute_days: days = 14, dispute_levels } = settings;
  return [
    passing === undefined ? t("passingMissing") : t("passing", { score: passing }),
    t(not_applicable === "spreads_over_form" ? "naSpreads" : "naStays"),
    t(fail === "keeps_score" ? "failKeeps" : "failZeroes"),
    t(release === "by_supervisor" ? "releaseBySupervisor" : "releaseOnSubmit"),
    days === 0 ? t("noDisputes") : t(dispute_levels === 2 ? "disputesTwice" : "disputes", { count: days }),
  ];
}
