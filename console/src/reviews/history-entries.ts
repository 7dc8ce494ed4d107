import type { ReviewDetailBody, ReviewRevisionItem } from "@hearback/sdk";

export type HistoryEntry =
  | { readonly kind: "revision"; readonly at: string; readonly revision: ReviewRevisionItem }
  | { readonly kind: "released" | "acknowledged" | "voided"; readonly at: string };

type Dated = Pick<ReviewDetailBody, "revisions" | "released_at" | "acknowledged_at" | "voided_at">;

/** Revisions, release, acknowledgement and voiding of a review, newest first. */
export function historyEntries({ revisions, released_at, acknowledged_at, voided_at }: Dated): HistoryEntry[] {
  const step = (kind: "released" | "acknowledged" | "voided", at: string | null) => (at === null ? [] : [{ kind, at }]);
  // A review can be released as it is submitted: its release is the start of that transaction.
  const submitted = revisions.find(({ cause }) => cause === "submitted")?.at ?? "";
  const released = released_at !== null && released_at < submitted ? submitted : released_at;
  // Of two at the same time, the second is the newer one.
  const oldestFirst: HistoryEntry[] = [
    ...revisions.toReversed().map((revision) => ({ kind: "revision" as const, at: revision.at, revision })),
    ...step("released", released),
    ...step("acknowledged", acknowledged_at),
    ...step("voided", voided_at),
  ];
  return oldestFirst.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).reverse();
}
