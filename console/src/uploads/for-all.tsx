import { Paper, SimpleGrid, Stack, Switch, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts.ts";
import { TextLink } from "../ui/text-link.tsx";
import { AgentField, CampaignField, ZoneField } from "./fact-fields.tsx";
import { MetadataForAll } from "./metadata-for-all.tsx";
import { uploadQueries } from "./queries.ts";
import type { Knowing } from "./settle-row.ts";
import { uploads } from "./uploads.ts";

/** What holds for every file whose name does not say it. */
export function ForAll({ knowing: { known, choices } }: { readonly knowing: Knowing }) {
  const { t } = useTexts("uploads");
  const { isSuccess } = useQuery(uploadQueries.known);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="for-all">
      <Stack gap="md">
        <div>
          <Title order={2} size="h4" id="for-all">
            {t("forAll")}
          </Title>
          <Text size="sm" c="dimmed">
            {t("forAllDetail")}
          </Text>
        </div>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md" verticalSpacing="sm">
          <CampaignField
            known={known}
            value={choices.campaignId}
            onChange={(campaignId) => uploads.choose({ campaignId })}
            placeholder={t("asNamed")}
            description={t("campaignDetail")}
          />
          <AgentField
            known={known}
            value={choices.agentEmail}
            onChange={(agentEmail) => uploads.choose({ agentEmail })}
            placeholder={t("asNamed")}
            description={t("agentDetail")}
          />
          <ZoneField value={choices.zone} onChange={(zone) => uploads.choose({ zone })} />
        </SimpleGrid>
        {isSuccess && known.campaigns.length === 0 && (
          <Text size="sm">
            {t("noCampaigns")} <TextLink to="/campaigns">{t("makeCampaign")}</TextLink>
          </Text>
        )}
        {isSuccess && known.agents.length === 0 && (
          <Text size="sm">
            {t("noAgents")} <TextLink to="/people">{t("inviteAgent")}</TextLink>
          </Text>
        )}
        <Switch
          label={t("fileTime")}
          description={t("fileTimeDetail")}
          checked={choices.fileTime}
          onChange={(event) => uploads.choose({ fileTime: event.currentTarget.checked })}
        />
        <MetadataForAll metadata={choices.metadata} onChange={(metadata) => uploads.choose({ metadata })} />
      </Stack>
    </Paper>
  );
}
