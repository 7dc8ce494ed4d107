import type { Change } from "@hearback/scoring/compare-versions";
import type { Condition } from "@hearback/scoring/condition";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { answerLabel, conditionText } from "./condition-text.ts";
import { settingTexts } from "./setting-texts.ts";
import type { Translate } from "./texts.ts";

interface Versions {
  readonly before: ScorecardDocument;
  readonly after: ScorecardDocument;
}

const maxLength = 120;

/** A difference between two versions in words: “Greeting”: weight 4 → 6. */
export function describeChange(change: Change, versions: Versions, t: Translate): string {
  const subject = subjectOf(change, versions, t);
  const { kind, field, before, after } = change;
  if (kind === "moved" && field === "section")
    return t("changeMovedTo", { subject, section: sectionTitle(String(after), versions.after) });
  if (kind === "added") return t("changeAdded", { subject });
  if (kind === "removed") return t("changeRemoved", { subject });
  if (kind === "moved") return t("changeMoved", { subject });
  if (change.subject === "setting") return describeSetting(change.id, versions, t);
  const member = t(fieldNames[field ?? ""] ?? "fieldOther", { field: field ?? "" });
  if (field === "guidance" || field === "bands" || field === "yes" || field === "no")
    return t("changeOf", { subject, member });
  const inWords = (value: unknown, document: ScorecardDocument) => valueText(field, value, document, t);
  return t("changeFromTo", {
    subject,
    member,
    before: inWords(before, versions.before),
    after: inWords(after, versions.after),
  });
}

const fieldNames: Readonly<Record<string, Parameters<Translate>[0]>> = {
  title: "field_title",
  label: "field_label",
  weight: "field_weight",
  points: "field_points",
  type: "field_type",
  guidance: "field_guidance",
  not_applicable: "field_not_applicable",
  tags: "field_tags",
  when: "field_when",
  bands: "field_bands",
  max_points: "field_max_points",
  fails: "field_fails",
  comment: "field_comment",
  yes: "field_yes",
  no: "field_no",
};

function subjectOf({ subject, id, question }: Change, { before, after }: Versions, t: Translate): string {
  const questions = (document: ScorecardDocument) => document.sections.flatMap((section) => section.questions);
  if (subject === "section")
    return t("subjectSection", {
      title: sectionTitle(id, after) === id ? sectionTitle(id, before) : sectionTitle(id, after),
    });
  const find = (name: string) =>
    questions(after).find((each) => each.id === name) ?? questions(before).find((each) => each.id === name);
  if (subject === "question") return t("quoted", { text: find(id)?.title ?? id });
  if (subject === "setting") return id;
  const label = [after, before]
    .map((document) =>
      answerLabel(
        id,
        questions(document).find((each) => each.id === question),
        t,
      ),
    )
    .find((text) => text !== id);
  return t("subjectOption", { question: find(question ?? "")?.title ?? question ?? "", option: label ?? id });
}

const sectionTitle = (id: string, document: ScorecardDocument) =>
  document.sections.find((section) => section.id === id)?.title ?? id;

/** Settings have sentences of their own. */
function describeSetting(id: string, { before, after }: Versions, t: Translate): string {
  const [old, next] = [settingTexts(before, t), settingTexts(after, t)];
  const changed = next.find((text, index) => text !== old[index] && settingOrder[index]?.includes(id));
  const index = changed === undefined ? -1 : next.indexOf(changed);
  if (changed !== undefined) return t("changeSetting", { before: old[index] ?? "", after: changed });
  return t("changeOf", { subject: t("settings"), member: t(settingNames[id] ?? "fieldOther", { field: id }) });
}

/** In the order of `settingTexts`. */
const settingOrder = [["passing_score"], ["not_applicable"], ["fail"], ["release"], ["dispute_days", "dispute_levels"]];

const settingNames: Readonly<Record<string, Parameters<Translate>[0]>> = {
  name: "name",
  description: "description",
  language: "language",
  dispute_days: "disputeDays",
  dispute_levels: "disputeLevels",
};

function valueText(field: string | undefined, value: unknown, document: ScorecardDocument, t: Translate): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return t("nothing");
  if (field === "when") return conditionText(value as Condition, document, t);
  if (field === "type") return t(`type_${value as "yes_no"}`);
  if (field === "fails") return t(value === "call" ? "scopeCall" : "scopeSection");
  if (field === "comment") return t("commentRequired");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value !== "string") return String(value);
  return t("quoted", { text: value.length > maxLength ? `${value.slice(0, maxLength - 1)}…` : value });
}
