import type { ScorecardDetailBody, ScorecardVersionBody } from "@hearback/sdk";
import { Alert, Badge, Button, Group, Stack, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useSession } from "../access/queries.ts";
import { campaignQueries } from "../campaigns/queries.ts";
import { uuid } from "../search-params.ts";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { FailedPage } from "../ui/feedback/failed-page.tsx";
import { NotFound } from "../ui/feedback/not-found.tsx";
import { PageLoading } from "../ui/feedback/page-loading.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { Page } from "../ui/page.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { downloadDocument } from "./download-document.ts";
import { scorecardQueries } from "./queries.ts";
import { mayManage } from "./rights.ts";
import { type ScorecardAction, ScorecardActions } from "./scorecard-actions.tsx";
import { useTexts } from "./texts.ts";
import { Versions } from "./versions.tsx";

const ScorecardEditor = lazyComponent(async () => (await import("./editor/scorecard-editor.tsx")).ScorecardEditor);
const FormView = lazyComponent(async () => (await import("./form-view.tsx")).FormView);
const AssignScorecard = lazyComponent(async () => (await import("./assign-scorecard.tsx")).AssignScorecard);
const RetireScorecard = lazyComponent(async () => (await import("./retire-scorecard.tsx")).RetireScorecard);
const DiscardDraft = lazyComponent(async () => (await import("./discard-draft.tsx")).DiscardDraft);

export function ScorecardPage() {
  const { id = "" } = useParams({ strict: false });
  return uuid.test(id) ? <LoadScorecard key={id} id={id} /> : <NotFound />;
}

function LoadScorecard({ id }: { readonly id: string }) {
  /** A new one replaces the editor and its history. Here, so that the new editor gets the latest data. */
  const [generation, setGeneration] = useState(0);
  const one = useQuery(scorecardQueries.one(id));
  const version = one.data?.latest_version ?? null;
  const latest = useQuery({ ...scorecardQueries.version(id, version ?? 0), enabled: version !== null });
  const error = one.data ? latest.error : one.error;
  const refetch = one.data ? latest.refetch : one.refetch;
  if (!one.data || (version !== null && !latest.data))
    return error ? <FailedPage error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  const restart = () => setGeneration((before) => before + 1);
  return <Scorecard scorecard={one.data} latest={latest.data} generation={generation} onRestart={restart} />;
}

interface ScorecardProps {
  readonly scorecard: ScorecardDetailBody;
  /** Undefined: never published. */
  readonly latest: ScorecardVersionBody | undefined;
  readonly generation: number;
  readonly onRestart: () => void;
}

function Scorecard({ scorecard, latest, generation, onRestart }: ScorecardProps) {
  const { t } = useTexts();
  const { user } = useSession();
  const { choice, change } = useSearchParams();
  const [doing, setDoing] = useState<ScorecardAction>();
  const done = () => setDoing(undefined);
  const isManager = mayManage(user.role);
  const tab = choice("tab", ["versions"]) ?? "form";
  const act = (action: ScorecardAction) =>
    action === "download"
      ? downloadDocument(scorecard.draft?.document ?? latest?.document ?? {}, scorecard.name)
      : setDoing(action);
  return (
    <Stack gap="xs">
      <TextLink to="/scorecards" size="sm" w="fit-content">
        <Group gap={6} wrap="nowrap">
          <Icon name="back" size={14} />
          {t("title")}
        </Group>
      </TextLink>
      <Page
        title={scorecard.name}
        intro={<Facts scorecard={scorecard} onAssign={isManager ? () => setDoing("assign") : undefined} />}
        actions={<ScorecardActions scorecard={scorecard} isManager={isManager} onAction={act} />}
      >
        {scorecard.retired_at && (
          <Alert color="gray" variant="light" icon={<Icon name="box" />}>
            {t("retiredDetail")}
          </Alert>
        )}
        <Tabs
          value={tab}
          onChange={(value) => change({ tab: value === "versions" ? value : undefined, version: undefined })}
          keepMounted={false}
        >
          <Tabs.List>
            <Tabs.Tab value="form">{t("form")}</Tabs.Tab>
            <Tabs.Tab value="versions">{t("versions")}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="form" pt="md" keepMounted>
            {isManager ? (
              <ScorecardEditor key={generation} scorecard={scorecard} latest={latest} />
            ) : latest ? (
              <FormView document={latest.document} />
            ) : (
              <EmptyState icon="scorecard" title={t("neverPublished")} />
            )}
          </Tabs.Panel>
          <Tabs.Panel value="versions" pt="md">
            <Versions id={scorecard.id} isManager={isManager} />
          </Tabs.Panel>
        </Tabs>
        <Dialog opened={doing === "assign"} title={t("assignTitle")} onClose={done}>
          <AssignScorecard scorecard={scorecard} onClose={done} />
        </Dialog>
        {doing === "retire" && <RetireScorecard scorecard={scorecard} onClose={done} />}
        {doing === "discard" && (
          <DiscardDraft
            scorecard={scorecard}
            onDiscarded={() => {
              onRestart();
              document.querySelector("h1")?.focus();
            }}
            onClose={done}
          />
        )}
      </Page>
    </Stack>
  );
}

interface FactsProps {
  readonly scorecard: ScorecardDetailBody;
  /** Undefined: this user may not change it. */
  readonly onAssign: (() => void) | undefined;
}

/** Version, draft, campaigns and arbiters, in one line. */
function Facts({ scorecard, onAssign }: FactsProps) {
  const { t } = useTexts();
  const { latest_version: version, has_draft, campaign_ids, arbiter_ids, retired_at } = scorecard;
  const { data: campaigns = [] } = useQuery(campaignQueries.choices);
  const names = campaign_ids.map((id) => campaigns.find((campaign) => campaign.id === id)?.name ?? id);
  return (
    <Group component="span" gap={8} display="flex" mt={2}>
      <Badge variant="default" tt="none" component="span">
        {version === null ? t("neverPublished") : t("versionNumber", { number: version })}
      </Badge>
      {has_draft && version !== null && (
        <Badge variant="light" color="orange" tt="none" component="span">
          {t("unpublished")}
        </Badge>
      )}
      {retired_at && (
        <Badge variant="light" color="gray" c="var(--mantine-color-text)" tt="none" component="span">
          {t("retired")}
        </Badge>
      )}
      <Text span size="sm" inherit={false}>
        {campaign_ids.length === 0
          ? t("campaignsAll")
          : names.length > 2
            ? t("campaignCount", { count: names.length })
            : names.join(", ")}
        {arbiter_ids && arbiter_ids.length > 0 && ` · ${t("arbiterCount", { count: arbiter_ids.length })}`}
      </Text>
      {onAssign && (
        <Button variant="subtle" size="compact-sm" ml={-8} onClick={onAssign}>
          {t("assign")}
        </Button>
      )}
    </Group>
  );
}
