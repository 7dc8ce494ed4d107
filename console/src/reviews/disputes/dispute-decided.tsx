import type { ScorecardDocument } from "@hearback/scoring/document";
import type { DisputeBody, ReviewDetailBody } from "@hearback/sdk";
import { Alert } from "@mantine/core";
import { useSession } from "../../access/queries.ts";
import { Icon } from "../../ui/icon.tsx";
import { useScoreText } from "../../ui/score.tsx";
import { useTexts } from "../texts.ts";
import { QuestionLinks } from "./question-links.tsx";
import { revisionsOfDispute } from "./revisions-of-dispute.ts";

interface DisputeDecidedProps {
  readonly review: ReviewDetailBody;
  readonly disputes: readonly DisputeBody[];
  /** The last decided one. */
  readonly dispute: DisputeBody;
  readonly document: ScorecardDocument;
}

/** Banner about a decided dispute: the change of the score, and links to the decisions. */
export function DisputeDecided({ review, disputes, dispute, document }: DisputeDecidedProps) {
  const { t } = useTexts();
  const { user } = useSession();
  const scoreText = useScoreText();
  const revisions = revisionsOfDispute(review, disputes, dispute);
  const text = (score: number | null) => (score === null ? t("notScored") : scoreText(score));
  const isSame = !revisions || revisions.before.score === revisions.after.score;
  const change = isSame
    ? t("scoreUnchanged")
    : t("scoreChanged", { before: text(revisions.before.score), after: text(revisions.after.score) });
  return (
    <Alert
      color={isSame ? "gray" : "green"}
      variant="light"
      icon={<Icon name="dispute" />}
      title={t(user.role === "agent" ? "objectionDecided" : "disputeDecided", { change })}
    >
      <QuestionLinks label={t("decidedDetail")} dispute={dispute} document={document} />
    </Alert>
  );
}
