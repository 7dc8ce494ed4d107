import { Skeleton, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { Problem } from "../../ui/feedback/problem.tsx";
import { useTexts as useUiTexts } from "../../ui/texts.ts";
import { DraftForm } from "../draft-form.tsx";
import { reviewScreenQueries } from "../queries.ts";
import type { ReviewPaneProps } from "../review-pane-props.ts";
import type { Choice } from "./choose-scorecard.ts";

export function PaneSkeleton() {
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

/** Opens the draft, or an empty form on the version of the scorecard. */
export function SelectedScorecard({ selected, ...props }: ReviewPaneProps & { readonly selected: Choice }) {
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
  useEffect(
    () => () => {
      void queries.invalidateQueries({ queryKey: ["reviews"] });
      // The queue says which reviews are started.
      void queries.invalidateQueries({ queryKey: ["assignments", "queue"] });
      void queries.invalidateQueries({ queryKey: ["calibrations"] });
    },
    [queries],
  );
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
