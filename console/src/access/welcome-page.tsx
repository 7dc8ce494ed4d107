import { ServiceError } from "@hearback/sdk";
import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTexts } from "../i18n/use-texts.ts";
import { Page } from "../ui/page.tsx";
import { PageLoading } from "../ui/page-loading.tsx";
import { Problem } from "../ui/problem.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Entrance } from "./entrance.tsx";
import { accessQueries } from "./queries.ts";
import { useFragment } from "./use-fragment.ts";
import { WelcomeForm } from "./welcome-form.tsx";

/** Where a link of a letter, or of the command that sets Hearback up, leads. */
export function WelcomePage() {
  const token = useFragment();
  return <Entrance>{token ? <LookedAt token={token} /> : <LinkMissing />}</Entrance>;
}

function LookedAt({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const link = useQuery(accessQueries.link(token));
  if (link.isPending) return <PageLoading />;
  if (link.isError) {
    // A token of another form than ours never was a link.
    const ended = link.error instanceof ServiceError && [404, 422].includes(link.error.status);
    return ended ? <LinkEnded /> : <Problem error={link.error} onRetry={() => void link.refetch()} />;
  }
  return (
    <WelcomeForm
      link={link.data}
      token={token}
      ended={<LinkEnded />}
      onDone={() => void navigate({ to: "/calls", replace: true })}
    />
  );
}

function LinkEnded() {
  const { t } = useTexts("access");
  return (
    <Page title={t("linkEndedTitle")} intro={t("linkEndedIntro")}>
      <Stack gap="sm">
        <Text size="sm">{t("linkEndedInvitation")}</Text>
        <Text size="sm">{t("linkEndedReset")}</Text>
        <Text size="sm">{t("linkEndedSetup")}</Text>
      </Stack>
      <TextLink to="/sign-in">{t("toSignIn")}</TextLink>
    </Page>
  );
}

/** Somebody reloaded the page, or came here without a link. */
function LinkMissing() {
  const { t } = useTexts("access");
  return (
    <Page title={t("linkMissingTitle")}>
      <Text>{t("linkMissingDetail")}</Text>
      <TextLink to="/sign-in">{t("toSignIn")}</TextLink>
    </Page>
  );
}
