import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer, Moment } from "@hearback/scoring/answers";
import { bareAnswer } from "@hearback/scoring/change-answers";
import { answerLimits } from "@hearback/scoring/limits";
import type { Question } from "@hearback/scoring/question";
import { Box, Button, CloseButton, Group, Stack, Text, Textarea } from "@mantine/core";
import { useEffect, useId, useRef, useState } from "react";
import { AnswerField } from "../../review-form/answer-field.tsx";
import { Problem } from "../../ui/feedback/problem.tsx";
import { toast } from "../../ui/feedback/toast.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useTexts as useUiTexts } from "../../ui/texts.ts";
import { clock } from "../../ui/time/use-format.ts";
import { ActionBar } from "../action-bar.tsx";
import { AnswerList, type AnswerListProps } from "../answers/answer-list.tsx";
import { isSameAnswer } from "../answers/answer-text.ts";
import { focusHeading } from "../focus-heading.ts";
import { isCallErased } from "../is-call-erased.ts";
import { MomentButton, usePlayback } from "../moments.tsx";
import { useOpenDispute } from "../queries.ts";
import classes from "../reviews.module.css";
import { useTexts } from "../texts.ts";

interface Objection {
  readonly proposed: Answer;
  readonly reason: string;
  readonly moment?: Moment | undefined;
}

/** Same as the API. */
const maxReason = 2000;
/** A moment begins at the current position and has this length. */
const momentMs = 10_000;

/** The answers, to each of which the agent can object in place. */
export function OpenDispute(props: Omit<AnswerListProps, "slot">) {
  const { t } = useTexts();
  const ui = useUiTexts();
  const { review } = props;
  const [objections, setObjections] = useState<ReadonlyMap<string, Objection>>(new Map());
  // Errors are shown after the first attempt to send.
  const [isTried, setTried] = useState(false);
  const open = useOpenDispute(review.id, () => {
    toast(t("objectionSent"));
    focusHeading();
  });
  const needsText = !isCallErased(open.error);
  const area = useRef<HTMLFormElement>(null);
  const change = (id: string, objection: Objection | undefined) => {
    const next = new Map(objections);
    if (objection) next.set(id, objection);
    else next.delete(id);
    setObjections(next);
  };
  const isComplete = ([id, { proposed, reason }]: readonly [string, Objection]) =>
    isProposal(proposed) &&
    !isSameAnswer(proposed, answerTo(review.answers, id)) &&
    (reason.trim() !== "" || !needsText);
  const send = () => {
    setTried(true);
    const wrong = [...objections].find((objection) => !isComplete(objection));
    if (wrong) {
      const card = area.current?.querySelector(`[data-question="${CSS.escape(wrong[0])}"]`);
      const isReason = isProposal(wrong[1].proposed) && needsText && wrong[1].reason.trim() === "";
      card?.querySelector<HTMLElement>(isReason ? "textarea[required]" : "fieldset input, fieldset textarea")?.focus();
      return;
    }
    const items = [...objections].map(([question_id, { proposed, reason, moment }]) => ({
      question_id,
      proposed,
      reason: reason.trim(),
      ...(moment && { moment }),
    }));
    open.mutate(items);
  };
  const slot = (question: Question) => (
    <QuestionObjection
      question={question}
      current={answerTo(review.answers, question.id)}
      objection={objections.get(question.id)}
      isTried={isTried}
      needsText={needsText}
      onChange={(objection) => change(question.id, objection)}
    />
  );
  return (
    <form
      ref={area}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!open.isPending) send();
      }}
    >
      <AnswerList {...props} slot={slot} />
      {objections.size > 0 && (
        <ActionBar label={t("objection")}>
          <Stack gap="xs" flex={1}>
            {open.error && <Problem error={open.error} brief />}
            <Group justify="space-between" gap="sm">
              <Box flex="1 1 260px">
                <Text size="sm" fw={600} role="status">
                  {t("objectionCount", { count: objections.size })}
                </Text>
                <Text size="xs" c="dimmed">
                  {t(howOften(props))} {t("neverLowers")}
                </Text>
              </Box>
              <Group gap="sm">
                <Button
                  variant="default"
                  onClick={() => {
                    setObjections(new Map());
                    focusHeading();
                  }}
                >
                  {ui.t("cancel")}
                </Button>
                <Button type="submit" loading={open.isPending}>
                  {t("sendObjection")}
                </Button>
              </Group>
            </Group>
          </Stack>
        </ActionBar>
      )}
    </form>
  );
}

/** How often the agent can object. Each level is decided once; after the last one, a lowered score allows a new first. */
const howOften = ({ document, disputes }: Pick<AnswerListProps, "document" | "disputes">) =>
  document.dispute_levels === 1 ? "objectOnce" : disputes.at(-1)?.level === 1 ? "objectLast" : "objectTwice";

const isProposal = ({ value, not_applicable }: Answer) => value !== undefined || not_applicable === true;

interface QuestionObjectionProps {
  readonly question: Question;
  readonly current: Answer | undefined;
  readonly objection: Objection | undefined;
  readonly isTried: boolean;
  /** False: the call was erased. */
  readonly needsText: boolean;
  readonly onChange: (objection: Objection | undefined) => void;
}

function QuestionObjection({ question, current, objection, onChange, ...props }: QuestionObjectionProps) {
  const { t } = useTexts();
  const button = useRef<HTMLButtonElement>(null);
  const isRemoved = useRef(false);
  useEffect(() => {
    if (!objection && isRemoved.current) button.current?.focus();
    isRemoved.current = false;
  }, [objection]);
  if (!objection) {
    return (
      <div>
        <Button
          ref={button}
          variant="subtle"
          size="compact-sm"
          ml={-8}
          leftSection={<Icon name="dispute" size={14} />}
          aria-label={t("objectTo", { question: question.title })}
          // Of several answers, usually one is wrong.
          onClick={() =>
            onChange({ proposed: question.type === "multiple" ? bareAnswer(current ?? {}) : {}, reason: "" })
          }
        >
          {t("object")}
        </Button>
      </div>
    );
  }
  const remove = () => {
    isRemoved.current = true;
    onChange(undefined);
  };
  const fields = { question, current, objection, onChange, onRemove: remove };
  return <ObjectionFields {...fields} {...props} />;
}

interface ObjectionFieldsProps extends QuestionObjectionProps {
  readonly objection: Objection;
  readonly onRemove: () => void;
}

function ObjectionFields({
  question,
  current,
  objection,
  isTried,
  needsText,
  onChange,
  onRemove,
}: ObjectionFieldsProps) {
  const { t } = useTexts();
  const id = useId();
  const fields = useRef<HTMLFieldSetElement>(null);
  useEffect(() => fields.current?.querySelector<HTMLElement>("input, textarea")?.focus(), []);
  const { proposed, reason, moment } = objection;
  // Several answers start with those of the review.
  const isStart = question.type === "multiple" && !isTried;
  const isSame = isProposal(proposed) && !isStart && isSameAnswer(proposed, current);
  const problem = isSame ? t("sameAnswer") : isTried && !isProposal(proposed) ? t("proposalMissing") : undefined;
  return (
    <fieldset ref={fields} className={classes.objection} aria-label={t("objectTo", { question: question.title })}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} id={`${id}-proposed`}>
          {t("rightAnswer")}
        </Text>
        <CloseButton size="sm" aria-label={t("removeObjection", { question: question.title })} onClick={onRemove} />
      </Group>
      <AnswerField
        question={question}
        answer={proposed}
        onChange={(answer) => onChange({ ...objection, proposed: answer })}
        readOnly={false}
        labelledBy={`${id}-proposed`}
        describedBy={`${id}-problem`}
      />
      <Text id={`${id}-problem`} size="sm" c="var(--mantine-color-error)" role="status" mih={problem ? undefined : 0}>
        {problem}
      </Text>
      <Textarea
        label={t("yourReason")}
        required={needsText}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={maxReason}
        value={reason}
        error={isTried && needsText && reason.trim() === "" && t("reasonMissing")}
        onChange={({ currentTarget }) => onChange({ ...objection, reason: currentTarget.value })}
      />
      <MomentField moment={moment} onChange={(next) => onChange({ ...objection, moment: next })} />
    </fieldset>
  );
}

interface MomentFieldProps {
  readonly moment: Moment | undefined;
  readonly onChange: (moment: Moment | undefined) => void;
}

/** The moment at the current position of the player. Nothing if the call cannot be played. */
function MomentField({ moment, onChange }: MomentFieldProps) {
  const { t } = useTexts();
  const playback = usePlayback();
  if (moment) {
    return (
      <Group gap={4}>
        <MomentButton moment={moment} />
        <CloseButton size="sm" aria-label={t("removeMoment")} onClick={() => onChange(undefined)} />
      </Group>
    );
  }
  if (!playback) return null;
  const mark = () => {
    const start_ms = Math.round(Math.min(playback.nowMs(), playback.durationMs, answerLimits.milliseconds - momentMs));
    const end_ms = Math.max(start_ms, Math.round(Math.min(start_ms + momentMs, playback.durationMs)));
    onChange({ start_ms, end_ms });
  };
  return (
    <Group gap="xs">
      <Button variant="default" size="compact-sm" leftSection={<Icon name="clock" size={14} />} onClick={mark}>
        {t("addMoment")}
      </Button>
      <Text size="xs" c="dimmed">
        {t("addMomentDetail", { length: clock(momentMs) })}
      </Text>
    </Group>
  );
}
