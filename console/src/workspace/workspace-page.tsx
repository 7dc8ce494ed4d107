import { Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { accessQueries } from "../access/queries.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { LoadingRows } from "../ui/loading-rows.tsx";
import { Page } from "../ui/page.tsx";
import { Problem } from "../ui/problem.tsx";
import { Section } from "../ui/section.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { When } from "../ui/when.tsx";
import { Limits } from "./limits.tsx";
import { workspaceQueries } from "./queries.ts";
import { WorkspaceForm } from "./workspace-form.tsx";

export function WorkspacePage() {
  const { t } = useTexts("workspace");
  return (
    <Page title={t("title")} intro={t("intro")}>
      <Section title={t("settings")}>
        <Settings />
      </Section>
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
  const { t } = useTexts("workspace");
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
        // The name at the head of every page.
        onChanged={() => void queries.invalidateQueries({ queryKey: accessQueries.session.queryKey })}
      />
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {t("created")} <When at={created_at} day /> · {t("id")} <code>{id}</code>
      </Text>
      <div>
        <CopyButton value={id} label={t("copyId")} />
      </div>
    </Stack>
  );
}
