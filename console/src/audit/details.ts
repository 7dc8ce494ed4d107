import type { AuditEntryBody } from "@hearback/sdk";
import type { TextKey, Translate } from "../i18n/use-texts.ts";
import type { Names } from "./names.ts";
import { shortId } from "./who.tsx";

type T = Translate<"audit">;
type Words = Readonly<Record<string, TextKey<"audit">>>;

const fields: Words = {
  name: "fieldName",
  role: "fieldRole",
  deactivated: "fieldDeactivated",
  archived: "fieldArchived",
  agent_channel: "fieldAgentChannel",
  retention_days: "fieldRetentionDays",
  time_zone: "fieldTimeZone",
  url: "fieldUrl",
  description: "fieldDescription",
  types: "fieldTypes",
  enabled: "fieldEnabled",
  expires_at: "fieldExpiresAt",
  metadata: "fieldMetadata",
  agent: "fieldAgent",
};
const roles: Words = {
  agent: "roleAgent",
  reviewer: "roleReviewer",
  supervisor: "roleSupervisor",
  admin: "roleAdmin",
};
const kinds: Words = {
  call: "kindCall",
  agent: "kindAgent",
  metadata: "kindMetadata",
  retention: "kindRetention",
  workspace: "kindWorkspace",
  invitation: "kindInvitation",
  reset: "kindReset",
  setup: "kindSetup",
};
const ways: Words = { password: "byPassword", oidc: "byOidc", link: "byLink" };
const reasons: Words = { gone: "reasonGone", failing: "reasonFailing" };

/** A value in the reader's words where there are any: a newer service may know more. */
const inWords = (value: unknown, words: Words, t: T) =>
  [value ?? []]
    .flat()
    .map(String)
    .map((one) => (words[one] ? t(words[one]) : one))
    .join(", ");

type Said = (value: unknown, told: { readonly t: T; readonly names: Names }) => string;

const campaignNames = (value: unknown, names: Names) =>
  [value ?? []]
    .flat()
    .map((id) => names.campaign(String(id)) ?? String(id))
    .join(", ");

const said: Readonly<Record<string, Said>> = {
  changed: (value, { t }) => t("dChanged", { value: inWords(value, fields, t) }),
  role: (value, { t }) => t("dRole", { value: inWords(value, roles, t) }),
  scopes: (value, { t }) => t("dScopes", { value: inWords(value, {}, t) }),
  campaign_ids: (value, { t, names }) => t("dCampaigns", { value: campaignNames(value, names) }),
  campaign_id: (value, { t, names }) => t("aCampaign", { name: campaignNames(value, names) }),
  agent_id: (value, { t, names }) => names.user(String(value)) ?? t("aUser", { name: shortId(String(value)) }),
  call_id: (value, { t }) => t("aCall", { name: shortId(String(value)) }),
  erasure_id: (value, { t }) => t("anErasure", { name: shortId(String(value)) }),
  replaced_by: (value, { t, names }) => t("theKey", { name: names.key(String(value)) ?? shortId(String(value)) }),
  kind: (value, { t }) => t("dKind", { value: inWords(value, kinds, t) }),
  reason: (value, { t }) => t("dReason", { value: inWords(value, reasons, t) }),
  format: (value, { t }) => t("dFormat", { value: String(value) }),
  filters: (value, { t }) => t("dFilters", { value: inWords(value, {}, t) }),
  signed_in_by: (value, { t }) => t("dSignedInBy", { value: inWords(value, ways, t) }),
  retention_days: (value, { t }) => (value === null ? t("dRetentionNone") : t("dRetention", { count: Number(value) })),
};

/** What an entry says beside who, what and when. Nothing is left out. */
export function detailTexts({ data }: Pick<AuditEntryBody, "data">, names: Names, t: T): string[] {
  const { erased, held, ...others } = data;
  const counts = [
    ...(erased === undefined ? [] : [t("dErased", { count: Number(erased) })]),
    ...(held === undefined ? [] : [t("dHeld", { count: Number(held) })]),
  ].join(", ");
  const rest = Object.entries(others).flatMap(([name, value]) => {
    const isNothing = value === null ? name !== "retention_days" : Array.isArray(value) && value.length === 0;
    if (isNothing) return [];
    const say = said[name];
    const plain = typeof value === "object" ? JSON.stringify(value) : String(value);
    return [say ? say(value, { t, names }) : t("dOther", { name, value: plain })];
  });
  return [...(counts ? [counts] : []), ...rest];
}
