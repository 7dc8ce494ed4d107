import type { Question } from "@hearback/scoring/question";
import type { DisputeBody } from "@hearback/sdk";
import { Badge, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useSession } from "../../access/queries.ts";
import { Icon } from "../../ui/icon.tsx";
import { Timestamp } from "../../ui/time/timestamp.tsx";
import { useAnswerText } from "../answers/use-answer-text.ts";
import { MomentButton } from "../moments.tsx";
import type { Names } from "../people/names.ts";
import classes from "../reviews.module.css";
import { useTexts } from "../texts.ts";

type Item = DisputeBody["items"][number];

interface DisputedItemsProps {
  readonly question: Question;
  readonly disputes: readonly DisputeBody[];
  readonly names: Names;
}

/** Objections to a question with their decisions, oldest first. */
export function DisputedItems({ question, disputes, names }: DisputedItemsProps) {
  return disputes.map((dispute) => {
    const item = dispute.items.find(({ question_id }) => question_id === question.id);
    if (!item) return null;
    return (
      <Objection key={dispute.id} question={question} dispute={dispute} item={item}>
        {item.decision && <Decision question={question} dispute={dispute} item={item} names={names} />}
      </Objection>
    );
  });
}

interface ObjectionProps {
  readonly question: Question;
  readonly dispute: DisputeBody;
  readonly item: Item;
  /** The decision, or the form for it. */
  readonly children: ReactNode;
}

const colors = { upheld: "gray", changed: "green", open: "orange", ended: "gray" } as const;

/** The objection of the agent and, once there is one, the decision. */
export function Objection({ question, dispute, item, children }: ObjectionProps) {
  const { t } = useTexts();
  const { user } = useSession();
  const text = useAnswerText();
  const title =
    user.role === "agent"
      ? dispute.level > 1
        ? "secondObjection"
        : "objection"
      : dispute.level > 1
        ? "secondDispute"
        : "dispute";
  // A dispute of a voided review ends without a decision.
  const state = item.decision ?? (dispute.state === "open" ? "open" : "ended");
  return (
    <div className={classes.objection}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap={6} wrap="nowrap" c="dimmed">
          <Icon name="dispute" size={16} />
          <Text size="sm" fw={600}>
            {t(title)}
          </Text>
        </Group>
        <Badge variant="light" color={colors[state]} tt="none">
          {t(`decision_${state}`)}
        </Badge>
      </Group>
      <Text size="sm">
        {t("proposes", { proposed: text(question, item.proposed), answer: text(question, item.answer) })}
      </Text>
      <Text size="sm" className={classes.quote}>
        {item.reason}
      </Text>
      {item.moment && (
        <div>
          <MomentButton moment={item.moment} />
        </div>
      )}
      {children}
    </div>
  );
}

function Decision({ question, dispute, item, names }: Omit<ObjectionProps, "children"> & { readonly names: Names }) {
  const { t } = useTexts();
  const { user } = useSession();
  const text = useAnswerText();
  const { resolved_at, resolved_by } = dispute;
  const sentence =
    item.decision === "changed"
      ? t("decidedChanged", { before: text(question, item.answer), after: text(question, item.decided) })
      : t("decidedUpheld", { answer: text(question, item.answer) });
  return (
    <div className={classes.decision}>
      <Text size="sm" fw={600}>
        {sentence}
      </Text>
      <Text size="sm" className={classes.quote}>
        {item.explanation}
      </Text>
      <Text size="xs" c="dimmed">
        {resolved_at && <Timestamp at={resolved_at} />}
        {resolved_by && user.role !== "agent" && ` · ${names.actor(resolved_by)}`}
      </Text>
    </div>
  );
}
