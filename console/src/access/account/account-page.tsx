import { SimpleGrid, Stack, Text } from "@mantine/core";
import { Suspense } from "react";
import { lazyComponent } from "../../ui/lazy/lazy-component.tsx";
import { Page } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { LoadingRows } from "../../ui/table/loading-rows.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { useSession } from "../queries.ts";
import { SignInNotice } from "../sign-in-notice.tsx";
import { useTexts } from "../texts.ts";
import { ChangePassword } from "./change-password.tsx";
import { PreferenceFields } from "./preference-fields.tsx";
import { ReviewEmail } from "./review-email.tsx";
import { SessionList } from "./session-list.tsx";

const TwoStep = lazyComponent(async () => (await import("../two-step/two-step.tsx")).TwoStep);

export function AccountPage() {
  const { t } = useTexts();
  const session = useSession();
  const { failed } = useSearchParams().params;
  // A required two-step setup hides all other account settings.
  const open = !session.two_step_needed;
  return (
    <Page title={t("accountTitle")}>
      <Stack gap="lg" maw={860}>
        {typeof failed === "string" && <SignInNotice code={failed} />}
        <Section title={t("you")}>
          <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2 }} spacing="md">
            <LabelledValue name={t("ownName")} value={session.user.name} />
            <LabelledValue name={t("email")} value={session.user.email} />
            <LabelledValue
              name={t("role")}
              value={t(`role_${session.user.role}`)}
              detail={t(`roleDetail_${session.user.role}`)}
            />
            <LabelledValue name={t("workspaceName")} value={session.workspace.name} />
          </SimpleGrid>
        </Section>
        <Suspense fallback={<LoadingRows rows={3} height={50} />}>
          <TwoStep session={session} />
        </Suspense>
        <Section title={t("preferences")} intro={t("preferencesIntro")}>
          <PreferenceFields />
        </Section>
        {open && session.user.role === "agent" && (
          <Section title={t("emails")}>
            <ReviewEmail session={session} />
          </Section>
        )}
        {open && session.password_sign_in && (
          <Section
            title={session.has_password ? t("changePassword") : t("setPassword")}
            intro={session.has_password ? t("changePasswordIntro") : t("setPasswordIntro")}
          >
            <ChangePassword session={session} />
          </Section>
        )}
        {open && (
          <Section title={t("sessions")} intro={t("sessionsIntro")}>
            <SessionList />
          </Section>
        )}
      </Stack>
    </Page>
  );
}

function LabelledValue({
  name,
  value,
  detail,
}: {
  readonly name: string;
  readonly value: string;
  readonly detail?: string;
}) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} fw={600} className="breakable">
        {value}
      </Text>
      {detail && (
        <Text component="dd" m={0} size="sm" c="dimmed">
          {detail}
        </Text>
      )}
    </div>
  );
}
