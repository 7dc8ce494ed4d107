import { ServiceError } from "@hearback/sdk";
import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { PageLoading } from "../ui/feedback/page-loading.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Page } from "../ui/page.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { AuthLayout } from "./auth-layout.tsx";
import { accessQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { useFragment } from "./use-fragment.ts";
import { WelcomeForm } from "./welcome-form.tsx";

/** Target page of emailed links and of `hearback-server setup`. */
export function WelcomePage() {
  const token = useFragment();
  return <AuthLayout>{token ? <LinkLoader token={token} /> : <LinkMissing />}</AuthLayout>;
}

function LinkLoader({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const link = useQuery(accessQueries.link(token));
  if (link.isPending) return <PageLoading />;
  if (link.isError) {
    // 422: the token is malformed.
    const ended = link.error instanceof ServiceError && [404, 422].includes(link.error.status);
    return ended ? <LinkEnded /> : <Problem error={link.error} onRetry={() => void link.refetch()} />;
  }
  return (
    <WelcomeForm
      link={link.data}
      token={token}
      ended={<LinkEnded />}
      onDone={() => void navigate({ to: "/", replace: true })}
    />
  );
}

function LinkEnded() {
  const { t } = useTexts();
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

/** The page was reloaded or opened without a link. */
function LinkMissing() {
  const { t } = useTexts();
  return (
    <Page title={t("linkMissingTitle")}>
      <Text>{t("linkMissingDetail")}</Text>
      <TextLink to="/sign-in">{t("toSignIn")}</TextLink>
    </Page>
  );
}
