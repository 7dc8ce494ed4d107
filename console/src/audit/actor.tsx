import type { AuditEntryBody } from "@hearback/sdk";
import type { Names } from "./names.ts";
import { type Translate, useTexts } from "./texts.ts";

export type ActorRef = AuditEntryBody["actor"];

/** Fallback for an unknown name: the first characters of the ID. */
export const shortId = (id: string) => (id.length > 13 ? `${id.slice(0, 8)}…` : id);

/** Actor as the start of a sentence. */
export function actorText({ type, id }: ActorRef, names: Names, t: Translate): string {
  if (type === "user" && id) return names.user(id) ?? t("unknownUser", { id: shortId(id) });
  if (type === "key" && id) return t("aKey", { name: names.key(id) ?? shortId(id) });
  return type === "operator" ? t("operator") : t("system");
}

export function Actor({ actor, names }: { readonly actor: ActorRef; readonly names: Names }) {
  const { t } = useTexts();
  return actorText(actor, names, t);
}
