import { Alert } from "@mantine/core";
import { type TextKey, useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";

const texts: Readonly<Record<string, TextKey<"access">>> = {
  session_ended: "sessionEnded",
  oidc_unknown_person: "oidcUnknownPerson",
  oidc_unverified: "oidcUnverified",
  oidc_refused: "oidcRefused",
  oidc_expired: "oidcExpired",
  oidc_away: "oidcAway",
};

/** Why somebody is here again. */
export function FailedBefore({ code }: { readonly code: string }) {
  const { t } = useTexts("access");
  const ended = code === "session_ended";
  return (
    <Alert
      color={ended ? "sea" : "yellow"}
      variant="light"
      icon={<Icon name={ended ? "info" : "warning"} />}
      role="alert"
    >
      {t(texts[code] ?? "oidcFailed")}
    </Alert>
  );
}
