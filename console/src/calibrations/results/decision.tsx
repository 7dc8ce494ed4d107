import type { CalibrationAnswersBody, CalibrationDecidedBody, CalibrationDetailBody } from "@hearback/sdk";
import { Alert, Button, Group, Stack, Text, Textarea, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useNames } from "../../reviews/people/names.ts";
import { Problem } from "../../ui/feedback/problem.tsx";
import { toast } from "../../ui/feedback/toast.tsx";
import { Icon } from "../../ui/icon.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import classes from "../calibrations.module.css";
import { useDecide } from "../queries.ts";
import { useTexts } from "../texts.ts";

interface DecisionProps {
  readonly session: CalibrationDetailBody;
  readonly questionId: string;
  readonly decision: CalibrationAnswersBody["decision"];
  readonly manages: boolean;
}

/** What was decided about a question. Supervisors write it. */
export function Decision({ session, questionId, decision, manages }: DecisionProps) {
  const { t } = useTexts();
  const format = useFormat();
  const names = useNames([decision?.decided_by.id ?? null]);
  return (
    <Stack gap="xs" component="section" aria-labelledby="decision">
      <Title order={3} size="h5" id="decision">
        {t("decision")}
      </Title>
      {manages ? (
        <DecisionForm session={session} questionId={questionId} text={decision?.text ?? ""} />
      ) : (
        <Text className={classes.quote} {...(!decision && { c: "dimmed" })}>
          {decision?.text ?? t("noDecision")}
        </Text>
      )}
      {decision && (
        <Text size="sm" c="dimmed">
          {t("decidedBy", { name: names.actor(decision.decided_by), time: format.dateTime(decision.decided_at) })}
        </Text>
      )}
    </Stack>
  );
}

interface DecisionFormProps extends Pick<DecisionProps, "session" | "questionId"> {
  /** As saved. */
  readonly text: string;
}

function DecisionForm({ session, questionId, text: saved }: DecisionFormProps) {
  const { t } = useTexts();
  const [text, setText] = useState(saved);
  const [applied, setApplied] = useState<CalibrationDecidedBody["applied"]>(null);
  const decide = useDecide(session.id, questionId);
  const wanted = text.trim();
  const save = (apply: boolean) => {
    if (decide.isPending) return;
    decide.mutate(
      { text: wanted, apply },
      {
        onSuccess(answer) {
          setApplied(answer.applied);
          if (!apply) toast(t(wanted ? "decisionSaved" : "decisionRemoved"));
        },
      },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(false);
  };
  const isSaving = decide.isPending && !decide.variables.apply;
  const isApplying = decide.isPending && decide.variables.apply === true;
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Textarea
          aria-labelledby="decision"
          description={t("decisionDetail")}
          autosize
          minRows={2}
          maxRows={12}
          maxLength={2000}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setApplied(null);
          }}
        />
        {decide.error && <Problem error={decide.error} />}
        {applied && <Outcome applied={applied} scorecardId={session.scorecard.id} />}
        <Group gap="sm">
          <Button type="submit" loading={isSaving} disabled={wanted === saved || isApplying}>
            {t("saveDecision")}
          </Button>
          <Button
            variant="default"
            loading={isApplying}
            disabled={wanted === "" || isSaving}
            leftSection={<Icon name="scorecard" size={16} />}
            onClick={() => save(true)}
          >
            {t("applyDecision")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface OutcomeProps {
  readonly applied: NonNullable<CalibrationDecidedBody["applied"]>;
  readonly scorecardId: string;
}

/** What became of the text in the draft of the scorecard. */
function Outcome({ applied, scorecardId }: OutcomeProps) {
  const { t } = useTexts();
  const isThere = applied === "added" || applied === "already_there";
  return (
    <Alert
      variant="light"
      color={isThere ? "green" : "orange"}
      icon={<Icon name={isThere ? "check" : "warning"} />}
      role="status"
    >
      <Text size="sm">{t(`applied_${applied}`)}</Text>
      <TextLink to="/scorecards/$id" params={{ id: scorecardId }} size="sm" c="inherit" td="underline">
        {t("openScorecard")}
      </TextLink>
    </Alert>
  );
}
