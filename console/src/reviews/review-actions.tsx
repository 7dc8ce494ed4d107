import type { ReviewDetailBody } from "@hearback/sdk";
import { Button, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { Icon } from "../ui/icon.tsx";
import { focusHeading } from "./focus-heading.ts";
import { useRelease, useReopen } from "./queries.ts";
import { AcknowledgeReview, VoidReview } from "./review-notes.tsx";
import { reviewScreenLink } from "./review-screen-link.ts";
import { useTexts } from "./texts.ts";

interface ReviewActionsProps {
  readonly review: ReviewDetailBody;
  readonly onCorrect: () => void;
}

type Doing = "release" | "reopen" | "void" | "acknowledge";

/** Buttons for what the user may do with the review. */
export function ReviewActions({ review, onCorrect }: ReviewActionsProps) {
  const { t } = useTexts();
  const [doing, setDoing] = useState<Doing>();
  const { actions } = review;
  const done = () => {
    setDoing(undefined);
    focusHeading();
  };
  return (
    <>
      {actions.includes("void") && (
        <Button variant="subtle" color="red" onClick={() => setDoing("void")}>
          {t("void")}
        </Button>
      )}
      {actions.includes("reopen") && (
        <Button variant="default" onClick={() => setDoing("reopen")}>
          {t("reopen")}
        </Button>
      )}
      {actions.includes("correct") && (
        <Button variant="default" leftSection={<Icon name="edit" />} onClick={onCorrect}>
          {t("correct")}
        </Button>
      )}
      {actions.includes("release") && (
        <Button leftSection={<Icon name="check" />} onClick={() => setDoing("release")}>
          {t("release")}
        </Button>
      )}
      {actions.includes("acknowledge") && (
        <Button leftSection={<Icon name="check" />} onClick={() => setDoing("acknowledge")}>
          {t("acknowledge")}
        </Button>
      )}
      <Release review={review} opened={doing === "release"} onClose={done} />
      <Reopen review={review} opened={doing === "reopen"} onClose={done} />
      <Dialog opened={doing === "void"} title={t("voidTitle")} onClose={done}>
        <VoidReview id={review.id} onClose={done} />
      </Dialog>
      <Dialog opened={doing === "acknowledge"} title={t("acknowledgeTitle")} onClose={done}>
        <AcknowledgeReview review={review} onClose={done} />
      </Dialog>
    </>
  );
}

interface ActionProps {
  readonly review: ReviewDetailBody;
  readonly opened: boolean;
  readonly onClose: () => void;
}

function Release({ review, opened, onClose }: ActionProps) {
  const { t } = useTexts();
  const release = useRelease(review.id, () => {
    toast(t("releasedToast"));
    onClose();
  });
  return (
    <Confirm
      opened={opened}
      title={t("releaseTitle")}
      action={t("release")}
      pending={release.isPending}
      error={release.error}
      onConfirm={() => release.mutate(undefined)}
      onClose={onClose}
    >
      <Text>{t("releaseDetail")}</Text>
    </Confirm>
  );
}

function Reopen({ review, opened, onClose }: ActionProps) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const reopen = useReopen(review.id, ({ actions }) => {
    toast(t("reopenedToast"));
    onClose();
    // The own draft is continued at once.
    if (actions.includes("answer")) void navigate(reviewScreenLink(review));
  });
  return (
    <Confirm
      opened={opened}
      title={t("reopenTitle")}
      action={t("reopen")}
      pending={reopen.isPending}
      error={reopen.error}
      onConfirm={() => reopen.mutate(undefined)}
      onClose={onClose}
    >
      <Text>{t("reopenDetail")}</Text>
    </Confirm>
  );
}
