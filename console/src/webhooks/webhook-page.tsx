import type { WebhookBody } from "@hearback/sdk";
import { Alert, Badge, Group, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { FailedPage } from "../ui/feedback/failed-page.tsx";
import { PageLoading } from "../ui/feedback/page-loading.tsx";
import { CopyButton } from "../ui/form/copy-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { Deliveries } from "./deliveries.tsx";
import { webhookQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookState } from "./webhook-state.tsx";

export function WebhookPage() {
  const { t } = useTexts();
  const { id = "" } = useParams({ strict: false });
  const { data: webhook, error, refetch } = useQuery(webhookQueries.one(id));
  if (!webhook) return error ? <FailedPage error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  return (
    <Stack gap="xs">
      <TextLink to="/webhooks" size="sm" w="fit-content">
        <Group gap={6} wrap="nowrap">
          <Icon name="back" size={14} />
          {t("title")}
        </Group>
      </TextLink>
      <Page title={webhook.description || hostOf(webhook.url)} actions={<WebhookActions webhook={webhook} />}>
        <Alerts webhook={webhook} />
        <Facts webhook={webhook} />
        <Deliveries webhook={webhook} />
      </Page>
    </Stack>
  );
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

/** Alerts about the webhook. */
function Alerts({ webhook }: { readonly webhook: WebhookBody }) {
  const { t } = useTexts();
  const format = useFormat();
  const { disabled, failing_since, previous_secret_until } = webhook;
  const texts = { by_request: "pausedDetail", gone: "goneDetail", failing: "givenUpDetail" } as const;
  const overlaps = previous_secret_until && Date.parse(previous_secret_until) > Date.now();
  return (
    <>
      {disabled && (
        <Alert
          {...(disabled.reason === "by_request" ? { color: "gray" } : { color: "red" })}
          variant="light"
          icon={<Icon name={disabled.reason === "by_request" ? "pause" : "warning"} />}
          title={t("disabledSince", { at: format.dateTime(disabled.at) })}
        >
          {t(texts[disabled.reason])} {t("resumeDetail")}
        </Alert>
      )}
      {!disabled && failing_since && (
        <Alert
          color="orange"
          variant="light"
          icon={<Icon name="warning" />}
          title={t("failingSince", { at: format.dateTime(failing_since) })}
        >
          {t("failingDetail")}
        </Alert>
      )}
      {overlaps && (
        <Alert variant="light" icon={<Icon name="key" />}>
          {t("twoSecrets", { until: format.dateTime(previous_secret_until) })}
        </Alert>
      )}
    </>
  );
}

function Facts({ webhook }: { readonly webhook: WebhookBody }) {
  const { t } = useTexts();
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Fact title={t("url")}>
          <Group gap="sm">
            <Text ff="monospace" size="sm" className="breakable">
              {webhook.url}
            </Text>
            <CopyButton value={webhook.url} />
          </Group>
        </Fact>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
          <Fact title={t("types")}>
            <Group gap={6}>
              {webhook.types.length === 0
                ? t("typesAll")
                : webhook.types.map((type) => (
                    <Badge key={type} variant="default" tt="none" fw={500}>
                      {type}
                    </Badge>
                  ))}
            </Group>
          </Fact>
          <Fact title={t("state")}>
            <WebhookState webhook={webhook} />
          </Fact>
          <Fact title={t("created")}>
            <Timestamp at={webhook.created_at} />
          </Fact>
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <Text size="sm" c="dimmed" mb={2}>
        {title}
      </Text>
      {children}
    </div>
  );
}
