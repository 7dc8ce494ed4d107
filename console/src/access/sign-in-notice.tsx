import { Alert } from "@mantine/core";
import { Icon } from "../ui/icon.tsx";
import { type TextKey, useTexts } from "./texts.ts";

const texts: Readonly<Record<string, TextKey>> = {
  session_ended: "sessionEnded",
  oidc_unknown_person: "oidcUnknownPerson",
  oidc_unverified: "oidcUnverified",
  oidc_other_account: "oidcOtherAccount",
  oidc_not_fresh: "oidcNotFresh",
  oidc_refused: "oidcRefused",
  oidc_expired: "oidcExpired",
  oidc_away: "oidcAway",
};

/** Shows why the person was sent to the sign-in page. */
export function SignInNotice({ code }: { readonly code: string }) {
  const { t } = useTexts();
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
