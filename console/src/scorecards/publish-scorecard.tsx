import { type Change, compareVersions } from "@hearback/scoring/compare-versions";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { type ScorecardDetailBody, type ScorecardVersionBody, ServiceError } from "@hearback/sdk";
import { Alert, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { campaignQueries } from "../campaigns/queries.ts";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { Icon } from "../ui/icon.tsx";
import { CappedList } from "./capped-list.tsx";
import { describeChange } from "./describe-change.ts";
import type { DraftDocument } from "./draft/draft-document.ts";
import { lintDraft } from "./draft/lint-draft.ts";
import { FindingLine } from "./editor/finding-list.tsx";
import { usePublish, useReloadScorecard } from "./queries.ts";
import { TestCaseCheck } from "./test-case-check.tsx";
import { useTexts } from "./texts.ts";

interface PublishScorecardProps {
  readonly scorecard: ScorecardDetailBody;
  readonly latest: ScorecardVersionBody | undefined;
  readonly draft: DraftDocument;
  /** Number of the draft that is shown here. Another one is not published. */
  readonly number: number;
  readonly onPublished: (scorecard: ScorecardDetailBody) => void;
  readonly onClose: () => void;
}

/** Publishes the draft: what changes, what the linter found, and whether scores stay comparable. */
export function PublishScorecard(props: PublishScorecardProps) {
  const { scorecard, latest, draft, number, onPublished, onClose } = props;
  const { t } = useTexts();
  const publish = usePublish(scorecard.id);
  const reload = useReloadScorecard(scorecard.id);
  const { findings, errors, document } = useMemo(() => lintDraft(draft, latest?.document), [draft, latest]);
  const changes = useMemo(
    () => (document && latest ? compareVersions(latest.document, document) : []),
    [document, latest],
  );
  const version = (scorecard.latest_version ?? 0) + 1;
  const isUnchanged = latest !== undefined && document !== undefined && changes.length === 0;
  const submit = () =>
    publish.mutate(number, {
      async onSuccess() {
        onPublished(await reload());
        toast(t("publishedToast", { name: draft.name, number: version }));
        onClose();
      },
    });
  const problems = errors > 0 ? findings.filter(({ severity }) => severity === "error") : findings;
  const isInvalid = publish.error instanceof ServiceError && publish.error.code === "scorecard_invalid";
  return (
    <DialogForm
      action={t("publishVersion", { number: version })}
      pending={publish.isPending}
      disabled={errors > 0 || isUnchanged || isInvalid}
      error={publish.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text>
        {t(latest ? "publishDetail" : "publishFirst")} <CampaignText ids={scorecard.campaign_ids} />
      </Text>
      {errors > 0 && (
        <Alert
          color="red"
          variant="light"
          icon={<Icon name="warning" />}
          title={t("publishBlocked", { count: errors })}
        >
          {t("publishBlockedDetail")}
        </Alert>
      )}
      {isUnchanged && (
        <Alert color="gray" variant="light" icon={<Icon name="info" />}>
          {t("publishUnchanged", { number: latest.version })}
        </Alert>
      )}
      {document && latest && changes.length > 0 && (
        <Changes changes={changes} before={latest.document} after={document} version={latest.version} />
      )}
      {document && latest && <TestCaseCheck scorecardId={scorecard.id} document={document} />}
      {problems.length > 0 && (
        <Stack gap={8} component="section">
          <Title order={3} size="h6">
            {errors > 0 ? t("errors", { count: errors }) : t("warnings", { count: problems.length })}
          </Title>
          {problems.slice(0, 20).map((finding, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two findings can be equal
            <FindingLine key={index} document={draft} finding={finding} withPlace />
          ))}
        </Stack>
      )}
    </DialogForm>
  );
}

function CampaignText({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useTexts();
  const { data: campaigns = [] } = useQuery(campaignQueries.choices);
  if (ids.length === 0) return t("publishCampaignsAll");
  const names = ids.map((id) => campaigns.find((campaign) => campaign.id === id)?.name ?? id);
  return t("publishCampaigns", { campaigns: names.join(", ") });
}

interface ChangesProps {
  readonly changes: readonly Change[];
  readonly before: ScorecardDocument;
  readonly after: ScorecardDocument;
  readonly version: number;
}

const mostChanges = 60;

function Changes({ changes, before, after, version }: ChangesProps) {
  const { t } = useTexts();
  const affecting = changes.filter(({ affectsComparability }) => affectsComparability);
  const harmless = changes.filter(({ affectsComparability }) => !affectsComparability);
  const list = (some: readonly Change[]) => (
    <CappedList items={some.map((change) => describeChange(change, { before, after }, t))} max={mostChanges} />
  );
  return (
    <Stack gap="sm" component="section">
      <Title order={3} size="h6">
        {t("changesSince", { number: version })}
      </Title>
      {affecting.length > 0 ? (
        <Alert
          color="orange"
          variant="light"
          icon={<Icon name="warning" />}
          title={t("affects", { count: affecting.length })}
        >
          <Text size="sm" mb={6}>
            {t("affectsDetail")}
          </Text>
          {list(affecting)}
        </Alert>
      ) : (
        <Text size="sm" c="dimmed">
          {t("comparable")}
        </Text>
      )}
      {harmless.length > 0 && list(harmless)}
    </Stack>
  );
}
