import type { ReviewBody, ScorecardBody } from "@hearback/sdk";
import { Button, Kbd, NativeSelect, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { useSession } from "../access/queries.ts";
import { callPageQueries } from "../call-page/queries.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { useShortcuts } from "../ui/shortcuts/shortcuts.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { useTexts as useUiTexts } from "../ui/texts.ts";
import { type Choice, chooseScorecard } from "./choose-scorecard.ts";
import { DraftForm } from "./draft-form.tsx";
import { readLastScorecard, writeLastScorecard } from "./last-scorecard.ts";
import { reviewScreenQueries } from "./queries.ts";
import styles from "./review.module.css";
import type { ReviewPaneProps } from "./review-pane-props.ts";
import { useTexts } from "./texts.ts";

/** The form of a review, or the choice of a scorecard. */
export function ReviewPane(props: ReviewPaneProps) {
  const { call, chosen } = props;
  const { user, can_pick_calls } = useSession();
  const scorecards = useQuery(reviewScreenQueries.scorecards(call.campaign_id));
  const reviews = useQuery(callPageQueries.reviews(call.id));
  const navigate = useNavigate({ from: "/calls/$id/review" });
  const choose = (id: string) => {
    writeLastScorecard(user.id, id);
    void navigate({ search: (before) => ({ ...before, scorecard: id }), replace: true, resetScroll: false });
  };
  if (!scorecards.data || !reviews.data) {
    const failed = scorecards.error ? scorecards : reviews;
    return (
      <div className={styles.pane}>
        {failed.error ? <Problem error={failed.error} onRetry={() => void failed.refetch()} /> : <PaneSkeleton />}
      </div>
    );
  }
  const mine = reviews.data.filter(({ reviewer }) => reviewer.id === user.id);
  const drafts = mine.filter(({ state }) => state === "draft");
  const choices = choicesOf(can_pick_calls ? scorecards.data : [], drafts);
  const selected = chooseScorecard(choices, { chosen, last: readLastScorecard(user.id) });
  return (
    <div className={styles.pane}>
      {choices.length === 0 ? (
        can_pick_calls ? (
          <NoScorecard campaign={call.campaign_id} />
        ) : (
          <PickingOff />
        )
      ) : (
        (choices.length > 1 || !selected) && <ScorecardChoice {...{ choices, selected, choose }} />
      )}
      {selected && (
        <>
          {choices.length === 1 && (
            <Title order={2} size="h4" className="breakable">
              {selected.name}
            </Title>
          )}
          <Reviewed reviews={mine} scorecardId={selected.id} />
          <SelectedScorecard key={selected.id} {...props} selected={selected} />
        </>
      )}
    </div>
  );
}

/** Scorecards for the campaign, and those of drafts, which may be retired since. */
function choicesOf(scorecards: readonly ScorecardBody[], drafts: readonly ReviewBody[]): Choice[] {
  const withDraft = drafts.map(({ id, scorecard }) => ({ ...scorecard, draftId: id }));
  const others = scorecards.filter(({ id }) => !withDraft.some((each) => each.id === id));
  return [...withDraft, ...others.map(({ id, name, latest_version }) => ({ id, name, version: latest_version ?? 1 }))];
}

function PaneSkeleton() {
  const ui = useUiTexts();
  return (
    <Stack gap="md" role="status" aria-label={ui.t("loading")}>
      <Skeleton height={28} width="60%" />
      {["a", "b", "c", "d"].map((key) => (
        <Skeleton key={key} height={112} />
      ))}
    </Stack>
  );
}

function NoScorecard({ campaign }: { readonly campaign: string }) {
  const { t } = useTexts();
  const { user } = useSession();
  return (
    <Paper withBorder>
      <EmptyState icon="scorecard" title={t("noScorecard")}>
        <Text maw={440}>{t(user.role === "reviewer" ? "noScorecardAsk" : "noScorecardDetail", { campaign })}</Text>
      </EmptyState>
    </Paper>
  );
}

function PickingOff() {
  const { t } = useTexts();
  const ui = useUiTexts();
  return (
    <Paper withBorder>
      <EmptyState icon="info" title={t("pickingOff")}>
        <Text maw={440}>{ui.t("code_picking_off")}</Text>
      </EmptyState>
    </Paper>
  );
}

interface ScorecardChoiceProps {
  readonly choices: readonly Choice[];
  readonly selected: Choice | undefined;
  readonly choose: (id: string) => void;
}

function ScorecardChoice({ choices, selected, choose }: ScorecardChoiceProps) {
  const { t } = useTexts();
  if (!selected) return <FirstChoice choices={choices} choose={choose} />;
  return (
    <NativeSelect
      label={t("scorecard")}
      data={choices.map(({ id, name, draftId }) => ({
        value: id,
        label: draftId ? `${name} (${t("draftOf")})` : name,
      }))}
      value={selected.id}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  );
}

/** Chosen with a digit or a button. Later calls use the same scorecard. */
function FirstChoice({ choices, choose }: Omit<ScorecardChoiceProps, "selected">) {
  const { t } = useTexts();
  const byDigit = (digit: number) => {
    const choice = choices[digit - 1];
    if (choice) choose(choice.id);
  };
  useShortcuts([
    {
      keys: [..."123456789"],
      shown: "1 – 9",
      group: t("keys"),
      text: t("chooseScorecard"),
      run: ({ key }) => byDigit(Number(key)),
    },
  ]);
  return (
    <Paper withBorder p="lg">
      <Stack gap="md">
        <div>
          <Title order={2} size="h4">
            {t("chooseScorecard")}
          </Title>
          <Text size="sm" c="dimmed">
            {t("chooseScorecardDetail")}
          </Text>
        </div>
        <div className={styles.choices}>
          {choices.map(({ id, name }, index) => (
            <Button
              key={id}
              variant="default"
              justify="flex-start"
              leftSection={index < 9 && <Kbd aria-hidden="true">{index + 1}</Kbd>}
              onClick={() => choose(id)}
            >
              {name}
            </Button>
          ))}
        </div>
      </Stack>
    </Paper>
  );
}

interface ReviewedProps {
  readonly reviews: readonly ReviewBody[];
  readonly scorecardId: string;
}

/** Says that the user has reviewed the call already. A second review is possible. */
function Reviewed({ reviews, scorecardId }: ReviewedProps) {
  const { t } = useTexts();
  const before = reviews.find(
    ({ scorecard, state }) => scorecard.id === scorecardId && (state === "submitted" || state === "released"),
  );
  if (!before) return null;
  return (
    <Text size="sm" c="dimmed">
      {t("reviewedAlready")}{" "}
      <TextLink to="/reviews/$id" params={{ id: before.id }}>
        {t("reviewedOpen")}
      </TextLink>
    </Text>
  );
}

function SelectedScorecard({ selected, ...props }: ReviewPaneProps & { readonly selected: Choice }) {
  const queries = useQueryClient();
  // The first state decides: a draft that is started on this screen must not open the form again.
  const [{ id: scorecardId, draftId, version }, setOpened] = useState(selected);
  const draft = useQuery({ ...reviewScreenQueries.draft(draftId ?? ""), enabled: draftId !== undefined });
  const document = useQuery(reviewScreenQueries.version(scorecardId, version));
  // Changed here. Other pages load them again. The draft of the next call, which is loaded already, stays.
  useEffect(
    () => () => {
      if (draftId) queries.removeQueries({ queryKey: reviewScreenQueries.draft(draftId).queryKey });
    },
    [queries, draftId],
  );
  useEffect(() => () => void queries.invalidateQueries({ queryKey: ["reviews"] }), [queries]);
  /** The server started the review on another version: the form opens again. Unsent answers are kept. */
  const onOtherVersion = useCallback(
    (draftId: string, version: number) => setOpened((before) => ({ ...before, draftId, version })),
    [],
  );
  const failed = draft.error ? draft : document;
  if (failed.error && !failed.data) return <Problem error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!document.data || (draftId && !draft.data)) return <PaneSkeleton />;
  return (
    <DraftForm
      key={`${draftId} ${version}`}
      {...props}
      scorecard={{ id: scorecardId, version }}
      document={document.data.document}
      review={draftId ? draft.data : undefined}
      onOtherVersion={onOtherVersion}
    />
  );
}
