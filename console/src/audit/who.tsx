import type { AuditEntryBody } from "@hearback/sdk";
import { type Translate, useTexts } from "../i18n/use-texts.ts";
import type { Names } from "./names.ts";

export type Actor = AuditEntryBody["actor"];

/** As a person or a key is shown whose name is not known: the beginning of its id says which. */
export const shortId = (id: string) => (id.length > 13 ? `${id.slice(0, 8)}…` : id);

/** Who did it, as the beginning of a sentence. */
export function whoText({ type, id }: Actor, names: Names, t: Translate<"audit">): string {
  if (type === "user" && id) return names.user(id) ?? t("somebody", { id: shortId(id) });
  if (type === "key" && id) return t("aKey", { name: names.key(id) ?? shortId(id) });
  return type === "operator" ? t("operator") : t("system");
}

export function Who({ actor, names }: { readonly actor: Actor; readonly names: Names }) {
  const { t } = useTexts("audit");
  return whoText(actor, names, t);
}
