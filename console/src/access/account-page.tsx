import { SimpleGrid, Stack, Text } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { ChangePassword } from "./change-password.tsx";
import { PreferenceFields } from "./preference-fields.tsx";
import { useSession } from "./queries.ts";
import { SessionList } from "./session-list.tsx";

export function AccountPage() {
  const { t } = useTexts("access");
  const session = useSession();
  return (
    <Page title={t("accountTitle")}>
      <Stack gap="lg" maw={860}>
        <Section title={t("you")}>
          <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2 }} spacing="md">
            <Fact name={t("ownName")} value={session.user.name} />
            <Fact name={t("email")} value={session.user.email} />
            <Fact
              name={t("role")}
              value={t(`role_${session.user.role}`)}
              detail={t(`roleDetail_${session.user.role}`)}
            />
            <Fact name={t("workspaceName")} value={session.workspace.name} />
          </SimpleGrid>
        </Section>
        <Section title={t("preferences")} intro={t("preferencesIntro")}>
          <PreferenceFields />
        </Section>
        <Section
          title={session.has_password ? t("changePassword") : t("setPassword")}
          intro={session.has_password ? t("changePasswordIntro") : t("setPasswordIntro")}
        >
          <ChangePassword session={session} />
        </Section>
        <Section title={t("sessions")} intro={t("sessionsIntro")}>
          <SessionList />
        </Section>
      </Stack>
    </Page>
  );
}

function Fact({ name, value, detail }: { readonly name: string; readonly value: string; readonly detail?: string }) {
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
