import type { AuditEntryBody } from "@hearback/sdk";
import { shortId } from "./actor.tsx";
import type { Names } from "./names.ts";
import type { TextKey, Translate } from "./texts.ts";

type T = Translate;
type TextKeys = Readonly<Record<string, TextKey>>;

const fields: TextKeys = {
  name: "fieldName",
  role: "fieldRole",
  team_id: "fieldTeam",
  deactivated: "fieldDeactivated",
  archived: "fieldArchived",
  agent_channel: "fieldAgentChannel",
  retention_days: "fieldRetentionDays",
  time_zone: "fieldTimeZone",
  earliest_conversation: "fieldEarliestConversation",
  agents_can_download: "fieldAgentsCanDownload",
  transcription_language: "fieldTranscriptionLanguage",
  masking: "fieldMasking",
  erase_masked_originals: "fieldEraseMaskedOriginals",
  listens_to_originals: "fieldListensToOriginals",
  transcription: "fieldTranscription",
  transcription_minutes_per_day: "fieldTranscriptionQuota",
  mask_phone_numbers: "fieldMaskPhoneNumbers",
  mask_emails: "fieldMaskEmails",
  masked_words: "fieldMaskedWords",
  searchable_months: "fieldSearchableMonths",
  url: "fieldUrl",
  description: "fieldDescription",
  types: "fieldTypes",
  enabled: "fieldEnabled",
  expires_at: "fieldExpiresAt",
  metadata: "fieldMetadata",
  agent: "fieldAgent",
};
const roles: TextKeys = {
  agent: "roleAgent",
  reviewer: "roleReviewer",
  supervisor: "roleSupervisor",
  admin: "roleAdmin",
};
const kinds: TextKeys = {
  call: "kindCall",
  agent: "kindAgent",
  metadata: "kindMetadata",
  retention: "kindRetention",
  workspace: "kindWorkspace",
  invitation: "kindInvitation",
  reset: "kindReset",
  setup: "kindSetup",
};
const signInMethods: TextKeys = { password: "byPassword", oidc: "byOidc", link: "byLink", passkey: "byPasskey" };
const reasons: TextKeys = { gone: "reasonGone", failing: "reasonFailing", other_account: "reasonOtherAccount" };

/** Translated values. Values added by a newer server are shown as they are. */
const translateValues = (value: unknown, words: TextKeys, t: T) =>
  [value ?? []]
    .flat()
    .map(String)
    .map((one) => (words[one] ? t(words[one]) : one))
    .join(", ");

type DetailText = (value: unknown, context: { readonly t: T; readonly names: Names }) => string;

const campaignNames = (value: unknown, names: Names) =>
  [value ?? []]
    .flat()
    .map((id) => names.campaign(String(id)) ?? String(id))
    .join(", ");

const fieldTexts: Readonly<Record<string, DetailText>> = {
  changed: (value, { t }) => t("dChanged", { value: translateValues(value, fields, t) }),
  role: (value, { t }) => t("dRole", { value: translateValues(value, roles, t) }),
  scopes: (value, { t }) => t("dScopes", { value: translateValues(value, {}, t) }),
  campaign_ids: (value, { t, names }) => t("dCampaigns", { value: campaignNames(value, names) }),
  campaign_id: (value, { t, names }) => t("aCampaign", { name: campaignNames(value, names) }),
  agent_id: (value, { t, names }) => names.user(String(value)) ?? t("aUser", { name: shortId(String(value)) }),
  call_id: (value, { t }) => t("aCall", { name: shortId(String(value)) }),
  erasure_id: (value, { t }) => t("anErasure", { name: shortId(String(value)) }),
  created_by: (value, { t, names }) => names.user(String(value)) ?? t("aUser", { name: shortId(String(value)) }),
  address: (value, { t }) => t("dAddress", { value: String(value) }),
  replaced_by: (value, { t, names }) => t("theKey", { name: names.key(String(value)) ?? shortId(String(value)) }),
  kind: (value, { t }) => t("dKind", { value: translateValues(value, kinds, t) }),
  reason: (value, { t }) => t("dReason", { value: translateValues(value, reasons, t) }),
  ids_digest: (value, { t }) => t("dIdsDigest", { value: shortId(String(value)) }),
  format: (value, { t }) => t("dFormat", { value: String(value) }),
  members: (value, { t }) => t("dMembers", { count: Number(value) }),
  filters: (value, { t }) => t("dFilters", { value: translateValues(value, {}, t) }),
  signed_in_by: (value, { t }) => t("dSignedInBy", { value: translateValues(value, signInMethods, t) }),
  retention_days: (value, { t }) => (value === null ? t("dRetentionNone") : t("dRetention", { count: Number(value) })),
};

/** Detail texts of an entry. Unknown fields are included as they are. */
export function detailTexts({ data }: Pick<AuditEntryBody, "data">, names: Names, t: T): string[] {
  const { erased, held, ...others } = data;
  const counts = [
    ...(erased === undefined ? [] : [t("dErased", { count: Number(erased) })]),
    ...(held === undefined ? [] : [t("dHeld", { count: Number(held) })]),
  ].join(", ");
  const rest = Object.entries(others).flatMap(([name, value]) => {
    const isNothing = value === null ? name !== "retention_days" : Array.isArray(value) && value.length === 0;
    if (isNothing) return [];
    const say = fieldTexts[name];
    const plain = typeof value === "object" ? JSON.stringify(value) : String(value);
    return [say ? say(value, { t, names }) : t("dOther", { name, value: plain })];
  });
  return [...(counts ? [counts] : []), ...rest];
}
