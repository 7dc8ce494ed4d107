import type { ScorecardDetailBody } from "@hearback/sdk";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useDiscardDraft, useReloadScorecard } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface DiscardDraftProps {
  readonly scorecard: ScorecardDetailBody;
  readonly onDiscarded: () => void;
  readonly onClose: () => void;
}

export function DiscardDraft({ scorecard, onDiscarded, onClose }: DiscardDraftProps) {
  const { t } = useTexts();
  const discard = useDiscardDraft(scorecard.id);
  const reload = useReloadScorecard(scorecard.id);
  const version = scorecard.latest_version;
  const confirm = () =>
    discard.mutate(scorecard.draft_number ?? 0, {
      async onSuccess() {
        await reload();
        toast(t("discarded"));
        onClose();
        onDiscarded();
      },
    });
  return (
    <Confirm
      opened
      title={t("discardTitle")}
      action={t("discard")}
      dangerous
      pending={discard.isPending}
      error={discard.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {version === null ? t("discardAll") : t("discardDetail", { number: version })}
    </Confirm>
  );
}
