import type { Answers } from "@hearback/scoring/answers";
import { bareAnswer, isWorse } from "@hearback/scoring/change-answers";
import { calculateResult } from "@hearback/scoring/formula";
import type { Question } from "@hearback/scoring/question";
import type { DisputeBody } from "@hearback/sdk";
import { Alert, Button, Group, Radio, Stack, Text, Textarea } from "@mantine/core";
import { useId, useRef, useState } from "react";
import { AnswerField } from "../../review-form/answer-field.tsx";
import { Problem } from "../../ui/feedback/problem.tsx";
import { toast } from "../../ui/feedback/toast.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useScoreText } from "../../ui/score.tsx";
import { ActionBar } from "../action-bar.tsx";
import { AnswerList, type AnswerListProps } from "../answers/answer-list.tsx";
import { focusHeading } from "../focus-heading.ts";
import { isCallErased } from "../is-call-erased.ts";
import { useResolveDispute } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { ScoreChange } from "../waterfall/score-change.tsx";
import { applyDecisions, type Decision, isDecided } from "./decisions.ts";
import { Objection } from "./disputed-items.tsx";

interface DecideDisputeProps extends Omit<AnswerListProps, "slot"> {
  /** The open dispute. */
  readonly dispute: DisputeBody;
}

const maxExplanation = 2000;

/** The answers, with a decision for each disputed one in place. */
export function DecideDispute({ dispute, ...list }: DecideDisputeProps) {
  const { t } = useTexts();
  const { review } = list;
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(new Map());
  const [isTried, setTried] = useState(false);
  const resolve = useResolveDispute(dispute.id, () => {
    toast(t("decidedToast"));
    focusHeading();
  });
  const needsText = !isCallErased(resolve.error);
  const area = useRef<HTMLFormElement>(null);
  const decisionOn = ({ question_id, proposed }: DisputeBody["items"][number]): Decision =>
    decisions.get(question_id) ?? { choice: undefined, answer: proposed, explanation: "" };
  const all = dispute.items.map((item) => ({ item, decision: decisionOn(item) }));
  const answers = applyDecisions(
    review.answers,
    all.map(({ item, decision }) => [item.question_id, decision] as const),
  );
  const preview = usePreview(list, answers);
  const decided = all.filter(({ decision }) => isDecided(decision, needsText)).length;
  const submit = () => {
    setTried(true);
    const missing = all.find(({ decision }) => !isDecided(decision, needsText));
    if (missing) {
      const card = area.current?.querySelector(`[data-question="${CSS.escape(missing.item.question_id)}"]`);
      card
        ?.querySelector<HTMLElement>(missing.decision.choice ? "textarea[required]" : "[role=radiogroup] input")
        ?.focus();
      return;
    }
    if (preview.problem) return;
    const items = all.map(({ item: { question_id }, decision: { choice, answer, explanation } }) => ({
      question_id,
      decision: choice ?? "upheld",
      ...(choice === "changed" && { answer: bareAnswer(answer) }),
      explanation: explanation.trim(),
    }));
    resolve.mutate(items);
  };
  const slot = (question: Question) => {
    const item = dispute.items.find(({ question_id }) => question_id === question.id);
    if (!item) return null;
    return (
      <Objection question={question} dispute={dispute} item={item}>
        <DecisionFields
          question={question}
          decision={decisionOn(item)}
          isTried={isTried}
          needsText={needsText}
          onChange={(decision) => setDecisions(new Map(decisions).set(question.id, decision))}
        />
      </Objection>
    );
  };
  return (
    <form
      ref={area}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!resolve.isPending) submit();
      }}
    >
      <AnswerList {...list} disputes={list.disputes.filter(({ id }) => id !== dispute.id)} slot={slot} />
      <ActionBar label={t("decide")}>
        <Stack gap="xs" flex={1}>
          {preview.problem && (
            <Alert color="red" variant="light" role="alert" icon={<Icon name="warning" />} p="xs">
              {preview.problem}
            </Alert>
          )}
          {resolve.error && <Problem error={resolve.error} brief />}
          <Group justify="space-between" gap="sm">
            <Group gap="lg">
              <Text size="sm" fw={600} className="tabular">
                {t("decidedOf", { done: decided, total: all.length })}
              </Text>
              <ScoreChange before={review} after={preview.result} />
            </Group>
            <Button type="submit" loading={resolve.isPending}>
              {t("decide")}
            </Button>
          </Group>
        </Stack>
      </ActionBar>
    </form>
  );
}

/** The score with the decisions, and why it cannot be saved. */
function usePreview({ review, document }: Pick<AnswerListProps, "review" | "document">, answers: Answers) {
  const { t } = useTexts();
  const scoreText = useScoreText();
  const result = calculateResult(document, answers);
  const { score, outcome } = review;
  if (outcome === null || !isWorse(result, { score, outcome })) return { result, problem: undefined };
  const text = (of: number | null) => (of === null ? t("notScored") : scoreText(of));
  const problem =
    result.score === score ? t("worsensOutcome") : t("lowersScore", { before: text(score), after: text(result.score) });
  return { result, problem };
}

interface DecisionFieldsProps {
  readonly question: Question;
  readonly decision: Decision;
  readonly isTried: boolean;
  /** False: the call was erased. */
  readonly needsText: boolean;
  readonly onChange: (decision: Decision) => void;
}

function DecisionFields({ question, decision, isTried, needsText, onChange }: DecisionFieldsProps) {
  const { t } = useTexts();
  const id = useId();
  const { choice, answer, explanation } = decision;
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t("yourDecision")}
        required
        error={isTried && !choice && t("decisionMissing")}
        value={choice ?? null}
        onChange={(value) => onChange({ ...decision, choice: value === "changed" ? "changed" : "upheld" })}
      >
        <Group gap="lg" mt={4}>
          <Radio value="upheld" label={t("uphold")} />
          <Radio value="changed" label={t("change")} />
        </Group>
      </Radio.Group>
      {choice === "changed" && (
        <Stack gap={6}>
          <Text size="sm" fw={500} id={`${id}-answer`}>
            {t("newAnswer")}
          </Text>
          <AnswerField
            question={question}
            answer={answer}
            onChange={(next) => onChange({ ...decision, answer: next })}
            readOnly={false}
            labelledBy={`${id}-answer`}
          />
        </Stack>
      )}
      <Textarea
        label={t("explanation")}
        description={t("agentReads")}
        required={needsText}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={maxExplanation}
        value={explanation}
        error={isTried && needsText && explanation.trim() === "" && t("explanationMissing")}
        onChange={({ currentTarget }) => onChange({ ...decision, explanation: currentTarget.value })}
      />
    </Stack>
  );
}
