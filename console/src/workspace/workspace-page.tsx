import { Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import { accessQueries, useSession } from "../access/queries.ts";
import { Problem } from "../ui/feedback/problem.tsx";
import { CopyButton } from "../ui/form/copy-button.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { LoadingRows } from "../ui/table/loading-rows.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { Limits } from "./limits.tsx";
import { workspaceQueries } from "./queries.ts";
import { ReviewSettings } from "./review-settings.tsx";
import { useTexts } from "./texts.ts";
import { WorkspaceForm } from "./workspace-form.tsx";

const TwoStepRule = lazyComponent(async () => (await import("../access/two-step/two-step-rule.tsx")).TwoStepRule);
const TranscriptionSettings = lazyComponent(
  async () => (await import("./transcription-settings.tsx")).TranscriptionSettings,
);
const PasswordRule = lazyComponent(async () => (await import("./password-rule.tsx")).PasswordRule);

export function WorkspacePage() {
  const { t } = useTexts();
  const { user } = useSession();
  const workspace = useQuery(workspaceQueries.workspace).data;
  return (
    <Page title={t("title")} intro={t("intro")}>
      <Section title={t("settings")}>
        <Settings />
      </Section>
      {workspace && (
        <Section title={t("reviews")} intro={t("reviewsIntro")}>
          <ReviewSettings settings={workspace.settings} />
        </Section>
      )}
      {workspace && (
        <Suspense>
          <TranscriptionSettings settings={workspace.settings} />
        </Suspense>
      )}
      {user.role === "admin" && workspace && (
        <Suspense>
          <TwoStepRule rule={workspace.settings.two_step} />
          <PasswordRule on={workspace.settings.password_sign_in} />
        </Suspense>
      )}
      <Section title={t("limits")} intro={t("limitsIntro")}>
        <Limits />
      </Section>
      <Section title={t("retention")}>
        <Text>
          {t("retentionDetail")}{" "}
          <TextLink to="/campaigns" underline="always">
            {t("toCampaigns")}
          </TextLink>
        </Text>
      </Section>
    </Page>
  );
}

function Settings() {
  const { t } = useTexts();
  const queries = useQueryClient();
  const workspace = useQuery(workspaceQueries.workspace);
  const problem = workspace.error && <Problem error={workspace.error} onRetry={() => void workspace.refetch()} />;
  if (!workspace.data) return problem ?? <LoadingRows rows={3} height={60} />;
  const { id, created_at } = workspace.data;
  return (
    <Stack>
      {problem}
      <WorkspaceForm
        workspace={workspace.data}
        // The name is part of the page header.
        onChanged={() => void queries.invalidateQueries({ queryKey: accessQueries.session.queryKey })}
      />
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {t("created")} <Timestamp at={created_at} day /> · {t("id")} <code>{id}</code>
      </Text>
      <div>
        <CopyButton value={id} label={t("copyId")} />
      </div>
    </Stack>
  );
}
