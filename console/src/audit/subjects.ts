import type { AuditEntryBody } from "@hearback/sdk";
import type { TextKey, Translate } from "../i18n/use-texts.ts";
import type { SearchParams } from "../search-params.ts";
import type { Names } from "./names.ts";
import { shortId } from "./who.tsx";

export type Subject = AuditEntryBody["subject"];

interface Kind {
  /** In a list of kinds to choose from. */
  readonly label: TextKey<"audit">;
  /** In a sentence, with its name. */
  readonly said: TextKey<"audit">;
  readonly name?: (names: Names, id: string) => string | undefined;
  /** Where it can be seen, if anywhere. */
  readonly page?: (id: string) => { readonly to: string; readonly search?: SearchParams };
}

/** What the log speaks of. */
export const subjectKinds: Readonly<Record<string, Kind>> = {
  call: { label: "subjectCall", said: "aCall", page: (id) => ({ to: `/calls/${id}` }) },
  campaign: { label: "subjectCampaign", said: "aCampaign", name: (names, id) => names.campaign(id) },
  user: { label: "subjectUser", said: "aUser", name: (names, id) => names.user(id) },
  key: { label: "subjectKey", said: "theKey", name: (names, id) => names.key(id) },
  webhook: {
    ...{ label: "subjectWebhook", said: "aWebhook", name: (names, id) => names.webhook(id) },
    page: (id) => ({ to: `/webhooks/${id}` }),
  },
  hold: {
    label: "subjectHold",
    said: "aHold",
    page: () => ({ to: "/privacy", search: { tab: "holds", state: "all" } }),
  },
  erasure: {
    label: "subjectErasure",
    said: "anErasure",
    page: (id) => ({ to: "/privacy", search: { tab: "erasures", erasure: id } }),
  },
  session: { label: "subjectSession", said: "aSession" },
  workspace: { label: "subjectWorkspace", said: "theWorkspace" },
};

/** What it was about, as a part of a sentence. */
export function subjectText({ type, id }: Subject, names: Names, t: Translate<"audit">): string {
  const kind = subjectKinds[type];
  const name = kind?.name?.(names, id);
  if (type === "user" && name) return name;
  return kind ? t(kind.said, { name: name ?? shortId(id) }) : t("something", { type, name: shortId(id) });
}
