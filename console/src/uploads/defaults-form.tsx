import { Button, Paper, SimpleGrid, Stack, Switch, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { TextLink } from "../ui/text-link.tsx";
import { CreateAgent } from "./create-agent.tsx";
import { DefaultMetadata } from "./default-metadata.tsx";
import { AgentField, CampaignField, ZoneField } from "./detail-fields.tsx";
import { uploadQueries } from "./queries.ts";
import type { ResolveContext } from "./queue/resolve-row.ts";
import { uploads } from "./queue/uploads.ts";
import { useTexts } from "./texts.ts";

/** Defaults for files whose names lack a value. */
export function DefaultsForm({ context: { known, defaults } }: { readonly context: ResolveContext }) {
  const { t } = useTexts();
  const [creating, setCreating] = useState<string>();
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
            value={defaults.campaignId}
            onChange={(campaignId) => uploads.setDefaults({ campaignId })}
            placeholder={t("asNamed")}
            description={t("campaignDetail")}
          />
          <div>
            <AgentField
              known={known}
              value={defaults.agentEmail}
              onChange={(agentEmail) => uploads.setDefaults({ agentEmail })}
              placeholder={t("asNamed")}
              description={t("agentDetail")}
            />
            <Button size="compact-sm" variant="subtle" mt={4} onClick={() => setCreating("")}>
              {t("createAgent")}
            </Button>
          </div>
          <ZoneField value={defaults.zone} onChange={(zone) => uploads.setDefaults({ zone })} />
        </SimpleGrid>
        {isSuccess && known.campaigns.length === 0 && (
          <Text size="sm">
            {t("noCampaigns")}{" "}
            <TextLink to="/campaigns" underline="always">
              {t("createCampaign")}
            </TextLink>
          </Text>
        )}
        <Switch
          label={t("fileTime")}
          description={t("fileTimeDetail")}
          checked={defaults.fileTime}
          onChange={(event) => uploads.setDefaults({ fileTime: event.currentTarget.checked })}
        />
        <CreateAgent
          email={creating}
          onCreated={(agentEmail) => uploads.setDefaults({ agentEmail })}
          onClose={() => setCreating(undefined)}
        />
        <DefaultMetadata metadata={defaults.metadata} onChange={(metadata) => uploads.setDefaults({ metadata })} />
      </Stack>
    </Paper>
  );
}
