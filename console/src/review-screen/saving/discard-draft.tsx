import { Text, UnstyledButton } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { memo, useState } from "react";
import { callPageQueries } from "../../call-page/queries.ts";
import { client } from "../../client.ts";
import type { SearchParams } from "../../search-params.ts";
import { Confirm } from "../../ui/dialog/confirm.tsx";
import { toast } from "../../ui/feedback/toast.tsx";
import { afterReview } from "../next-call/after-review.ts";
import { useTexts } from "../texts.ts";
import type { Draft } from "./open-draft.ts";

interface DiscardDraftProps {
  readonly draft: Draft;
  readonly list: SearchParams;
  readonly callId: string;
}

/** Memoized: it does not depend on the answers. */
export const DiscardDraft = memo(function DiscardDraft({ draft, list, callId }: DiscardDraftProps) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const discard = useMutation({ mutationFn: () => client.reviews.discard(draft.reviewId() ?? ""), gcTime: 0 });
  const confirm = () =>
    discard.mutate(undefined, {
      onSuccess() {
        const id = draft.reviewId();
        draft.end();
        queries.setQueryData(callPageQueries.reviews(callId).queryKey, (before = []) =>
          before.filter((each) => each.id !== id),
        );
        toast(t("discarded"));
        void queries.invalidateQueries({ queryKey: ["calibrations"] });
        void navigate(afterReview(list) ?? { to: "/calls/$id", params: { id: callId }, search: list });
      },
    });
  return (
    <>
      <UnstyledButton fz="xs" c="dimmed" td="underline" onClick={() => setOpen(true)}>
        {t("discard")}
      </UnstyledButton>
      <Confirm
        opened={isOpen}
        title={t("discardTitle")}
        action={t("discard")}
        dangerous
        pending={discard.isPending}
        error={discard.error}
        onConfirm={confirm}
        onClose={() => setOpen(false)}
      >
        <Text>{t("discardDetail")}</Text>
      </Confirm>
    </>
  );
});
