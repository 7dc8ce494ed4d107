import type { Condition } from "@hearback/scoring/condition";
import type { FailScope } from "@hearback/scoring/question";
import { uniqueSlug } from "@hearback/scoring/slug";

export const questionTypes = ["yes_no", "choice", "scale", "multiple", "number", "text"] as const;
export type QuestionType = (typeof questionTypes)[number];

export interface DraftEffect {
  readonly fails?: FailScope | undefined;
  readonly comment?: "required" | undefined;
}

export interface DraftOption extends DraftEffect {
  readonly id: string;
  readonly label: string;
  readonly points?: number | undefined;
}

export interface DraftBand {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly points?: number | undefined;
}

/** A question of any type. Members that the type does not have are absent. */
export interface DraftQuestion {
  readonly id: string;
  readonly title: string;
  readonly type: QuestionType;
  readonly guidance?: string | undefined;
  readonly weight?: number | undefined;
  readonly not_applicable?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly when?: Condition | undefined;
  readonly yes?: DraftEffect | undefined;
  readonly no?: DraftEffect | undefined;
  readonly options?: readonly DraftOption[] | undefined;
  readonly max_points?: number | undefined;
  readonly bands?: readonly DraftBand[] | undefined;
}

export interface DraftSection {
  readonly id: string;
  readonly title: string;
  readonly weight?: number | undefined;
  readonly questions: readonly DraftQuestion[];
}

export interface DraftSettings {
  readonly name: string;
  readonly description?: string | undefined;
  readonly language?: string | undefined;
  readonly passing_score?: number | undefined;
  readonly not_applicable?: "stays_in_section" | "spreads_over_form" | undefined;
  readonly fail?: "zeroes_score" | "keeps_score" | undefined;
  readonly release?: "on_submit" | "by_supervisor" | undefined;
  readonly dispute_days?: number | undefined;
  readonly dispute_levels?: 1 | 2 | undefined;
}

/** A scorecard document that may be incomplete: texts can be empty, numbers absent. Immutable. */
export interface DraftDocument extends DraftSettings {
  readonly sections: readonly DraftSection[];
}

class NotEditable extends Error {}

type Members = Readonly<Record<string, unknown>>;

function object(value: unknown): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new NotEditable();
  return value as Members;
}

function list(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new NotEditable();
  return value;
}

function text(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value !== "string") throw new NotEditable();
  return value;
}

function requireType(members: Members, type: "string" | "number" | "boolean", names: readonly string[]): void {
  for (const name of names) {
    const value = members[name];
    if (value !== undefined && typeof value !== type) throw new NotEditable();
  }
}

/**
 * The document as the editor needs it. Absent texts become empty; absent or repeated ids are made from the title. Members
 * that the editor does not know stay, so that the linter reports them. Undefined: its structure is wrong, and only a
 * program can correct it.
 */
export function readDraft(document: unknown): DraftDocument | undefined {
  try {
    const given = object(document);
    requireType(given, "string", ["description", "language", "not_applicable", "fail", "release"]);
    requireType(given, "number", ["passing_score", "dispute_days", "dispute_levels"]);
    const id = idReader();
    const sections = list(given.sections).map((entry) => {
      const section = object(entry);
      requireType(section, "number", ["weight"]);
      const title = text(section.title);
      const sectionId = id(section.id, title || "section");
      return { ...section, id: sectionId, title, questions: list(section.questions).map((each) => question(each, id)) };
    });
    return { ...given, name: text(given.name), sections } as unknown as DraftDocument;
  } catch (error) {
    if (error instanceof NotEditable) return undefined;
    throw error;
  }
}

/** Ids in their order of appearance. The first one with a name keeps it. */
function idReader(): (given: unknown, title: string) => string {
  const taken = new Set<string>();
  return (given, title) => {
    const wanted = text(given);
    const id =
      wanted !== "" && !taken.has(wanted) ? wanted : uniqueSlug(wanted || title, (candidate) => taken.has(candidate));
    taken.add(id);
    return id;
  };
}

function question(entry: unknown, id: ReturnType<typeof idReader>): Members {
  const given = object(entry);
  if (!questionTypes.includes(given.type as QuestionType)) throw new NotEditable();
  requireType(given, "string", ["guidance"]);
  requireType(given, "number", ["weight", "max_points"]);
  requireType(given, "boolean", ["not_applicable"]);
  requireType(Object.fromEntries(list(given.tags).entries()), "string", [...list(given.tags).keys()].map(String));
  for (const effect of [given.yes, given.no]) if (effect !== undefined) object(effect);
  if (given.when !== undefined) condition(given.when);
  const title = text(given.title);
  const optionId = idReader();
  const options = list(given.options).map((each) => {
    const option = object(each);
    requireType(option, "number", ["points"]);
    const label = text(option.label);
    return { ...option, id: optionId(option.id, label || "option"), label };
  });
  for (const band of list(given.bands)) requireType(object(band), "number", ["from", "to", "points"]);
  const hasOptions = ["choice", "scale", "multiple"].includes(given.type as string);
  return { ...given, id: id(given.id, title || "question"), title, ...(hasOptions && { options }) };
}

function condition(given: unknown, levels = 4): void {
  const { question: name, is, all, any } = object(given);
  if (levels === 0) throw new NotEditable();
  if (all !== undefined || any !== undefined) for (const entry of list(all ?? any)) condition(entry, levels - 1);
  else if (typeof name !== "string" || list(is).some((value) => typeof value !== "string")) throw new NotEditable();
}
