import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { storableDraft } from "./draft.ts";
import { findLatest, lockScorecard, readDraft } from "./find-scorecard.ts";

/** Of the guidance of a question. */
const maxLength = 4000;

/**
 * Adds a paragraph to the guidance of a question in the draft of a scorecard. Without a draft, the latest version becomes one. Nothing
 * changes if the draft has no such question, has the paragraph already, or has no room for it.
 */
export async function appendGuidance(
  tx: Db,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  questionId: string,
  paragraph: string,
): Promise<"added" | "already_there" | "question_missing" | "too_long"> {
  const scorecard = await lockScorecard(tx, workspaceId, id);
  const latest = scorecard.hasDraft ? undefined : await findLatest(tx, scorecard);
  // A copy: versions are cached.
  const draft = structuredClone(latest?.document ?? (await readDraft(tx, scorecard))) as Record<string, unknown>;
  const question = findQuestion(draft, questionId);
  if (!question) return "question_missing";
  const guidance = typeof question.guidance === "string" ? question.guidance.trimEnd() : "";
  if (`\n\n${guidance}\n\n`.includes(`\n\n${paragraph}\n\n`)) return "already_there";
  const extended = guidance ? `${guidance}\n\n${paragraph}` : paragraph;
  if (extended.length > maxLength) return "too_long";
  question.guidance = extended;
  await tx
    .updateTable("scorecard")
    .set({
      draft: JSON.stringify(storableDraft(draft)),
      draftNumber: scorecard.draftNumber + 1,
      draftChangedAt: sql<Date>`now()`,
    })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .execute();
  return "added";
}

/** The question in a draft, which may be incomplete. */
function findQuestion(draft: Record<string, unknown>, questionId: string): Record<string, unknown> | undefined {
  const entriesOf = (value: unknown, name: string): Record<string, unknown>[] => {
    const entries = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
    return Array.isArray(entries) ? entries.filter((entry) => typeof entry === "object" && entry !== null) : [];
  };
  return entriesOf(draft, "sections")
    .flatMap((section) => entriesOf(section, "questions"))
    .find(({ id }) => id === questionId);
}
