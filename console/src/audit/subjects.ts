import type { AuditEntryBody } from "@hearback/sdk";
import type { SearchParams } from "../search-params.ts";
import { shortId } from "./actor.tsx";
import type { Names } from "./names.ts";
import type { TextKey, Translate } from "./texts.ts";

export type Subject = AuditEntryBody["subject"];

interface Kind {
  /** Label in the subject filter. */
  readonly label: TextKey;
  /** Text within a sentence. */
  readonly sentencePart: TextKey;
  readonly name?: (names: Names, id: string) => string | undefined;
  /** Link target, if the subject has a page. */
  readonly page?: (id: string) => { readonly to: string; readonly search?: SearchParams };
}

/** Kinds of subjects in the audit log. */
export const subjectKinds: Readonly<Record<string, Kind>> = {
  call: { label: "subjectCall", sentencePart: "aCall", page: (id) => ({ to: `/calls/${id}` }) },
  campaign: { label: "subjectCampaign", sentencePart: "aCampaign", name: (names, id) => names.campaign(id) },
  user: { label: "subjectUser", sentencePart: "aUser", name: (names, id) => names.user(id) },
  scorecard: {
    label: "subjectScorecard",
    sentencePart: "aScorecard",
    name: (names, id) => names.scorecard(id),
    page: (id) => ({ to: `/scorecards/${id}` }),
  },
  plan: { label: "subjectPlan", sentencePart: "aPlan", page: (id) => ({ to: `/plans/${id}` }) },
  draw: { label: "subjectDraw", sentencePart: "aDraw" },
  assignment: { label: "subjectAssignment", sentencePart: "anAssignment" },
  review: { label: "subjectReview", sentencePart: "aReview", page: (id) => ({ to: `/reviews/${id}` }) },
  calibration: { label: "subjectCalibration", sentencePart: "aCalibration" },
  team: { label: "subjectTeam", sentencePart: "aTeam", name: (names, id) => names.team(id) },
  key: { label: "subjectKey", sentencePart: "theKey", name: (names, id) => names.key(id) },
  webhook: {
    label: "subjectWebhook",
    sentencePart: "aWebhook",
    name: (names, id) => names.webhook(id),
    page: (id) => ({ to: `/webhooks/${id}` }),
  },
  hold: {
    label: "subjectHold",
    sentencePart: "aHold",
    page: () => ({ to: "/privacy", search: { tab: "holds", state: "all" } }),
  },
  erasure: {
    label: "subjectErasure",
    sentencePart: "anErasure",
    page: (id) => ({ to: "/privacy", search: { tab: "erasures", erasure: id } }),
  },
  session: { label: "subjectSession", sentencePart: "aSession" },
  workspace: { label: "subjectWorkspace", sentencePart: "theWorkspace" },
};

/** Subject as part of a sentence. */
export function subjectText({ type, id }: Subject, names: Names, t: Translate): string {
  const kind = subjectKinds[type];
  const name = kind?.name?.(names, id);
  if (type === "user" && name) return name;
  return kind ? t(kind.sentencePart, { name: name ?? shortId(id) }) : t("something", { type, name: shortId(id) });
}
