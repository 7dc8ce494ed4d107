import type { Moment } from "@hearback/scoring/answers";
import type { Question } from "@hearback/scoring/question";
import type { CalibrationAnswersBody, CalibrationDetailBody } from "@hearback/sdk";
import { Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import { isSameAnswer } from "../../reviews/answers/answer-text.ts";
import { useAnswerText } from "../../reviews/answers/use-answer-text.ts";
import { callTime } from "../../reviews/call-time.ts";
import { MomentButton, usePlayback } from "../../reviews/moments.tsx";
import type { Names } from "../../reviews/people/names.ts";
import { reviewQueries } from "../../reviews/queries.ts";
import { Problem } from "../../ui/feedback/problem.tsx";
import { Icon } from "../../ui/icon.tsx";
import { lazyComponent } from "../../ui/lazy/lazy-component.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { LoadingRows } from "../../ui/table/loading-rows.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { Timestamp } from "../../ui/time/timestamp.tsx";
import { clock, useFormat } from "../../ui/time/use-format.ts";
import classes from "../calibrations.module.css";
import { calibrationQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { Decision } from "./decision.tsx";

/** Loaded when a call is played. */
const ReviewPlayer = lazyComponent(async () => (await import("../../reviews/review-player.tsx")).ReviewPlayer);

interface AnswersProps {
  readonly session: CalibrationDetailBody;
  /** IDs of all questions in order. */
  readonly questions: readonly string[];
  readonly questionId: string;
  readonly title: string;
  readonly names: Names;
  readonly manages: boolean;
}

/** The answers to one question side by side, and what was decided about it. */
export function Answers({ session, questions, questionId, title, names, manages }: AnswersProps) {
  const { t } = useTexts();
  const { data: answers, error, refetch } = useQuery(calibrationQueries.answers(session.id, questionId));
  const { scorecard } = session;
  const version = useQuery(reviewQueries.version(scorecard.id, scorecard.version));
  const [playing, setPlaying] = useState<string>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const document = version.data?.document;
  const question = document?.sections.flatMap((section) => section.questions).find(({ id }) => id === questionId);
  const at = questions.indexOf(questionId);
  const problem = error ?? version.error;
  return (
    <Paper component="section" withBorder p={{ base: "md", sm: "lg" }} aria-labelledby="answers">
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Title
            order={2}
            size="h4"
            id="answers"
            tabIndex={-1}
            ref={heading}
            className={`${classes.heading} breakable`}
            {...(document?.language && { lang: document.language })}
          >
            {title}
          </Title>
          <Group gap="xs">
            <QuestionLink id={questions[at - 1]} text={t("previousQuestion")} />
            <QuestionLink id={questions[at + 1]} text={t("nextQuestion")} />
          </Group>
        </Group>
        {problem ? (
          <Problem error={problem} onRetry={() => void (error ? refetch() : version.refetch())} />
        ) : !answers || !question ? (
          <LoadingRows rows={3} height={72} />
        ) : (
          <>
            {answers.calls
              .filter((call) => call.answers.length > 0)
              .map((call) => (
                <CallAnswers
                  key={call.call_id}
                  call={call}
                  question={question}
                  expertId={session.expert_id}
                  names={names}
                  isPlaying={playing === call.call_id}
                  onPlay={() => setPlaying(call.call_id)}
                />
              ))}
            <Decision session={session} questionId={questionId} decision={answers.decision} manages={manages} />
          </>
        )}
      </Stack>
    </Paper>
  );
}

function QuestionLink({ id, text }: { readonly id: string | undefined; readonly text: string }) {
  if (id === undefined) return null;
  return (
    <LinkButton
      to="."
      search={(before: object) => ({ ...before, question: id })}
      resetScroll={false}
      size="xs"
      variant="default"
    >
      {text}
    </LinkButton>
  );
}

type CallAnswersBody = CalibrationAnswersBody["calls"][number];
type Given = CallAnswersBody["answers"][number];

interface CallAnswersProps {
  readonly call: CallAnswersBody;
  readonly question: Question;
  readonly expertId: string | null;
  readonly names: Names;
  /** Whether its player is open. One at a time. */
  readonly isPlaying: boolean;
  readonly onPlay: () => void;
}

/** The answers of all participants for one call. */
function CallAnswers({ call, question, expertId, names, isPlaying, onPlay }: CallAnswersProps) {
  const { t } = useTexts();
  const format = useFormat();
  const time = callTime(call.call_id);
  const [first] = call.answers;
  const differs = question.type !== "text" && call.answers.some(({ answer }) => !isSameAnswer(answer, first?.answer));
  const list = (
    <ul className={classes.answers}>
      {call.answers.map((given) => (
        <OneAnswer
          key={given.user_id}
          given={given}
          question={question}
          callId={call.call_id}
          name={names.user(given.user_id)}
          isExpert={given.user_id === expertId}
        />
      ))}
    </ul>
  );
  return (
    <article className={classes.call} aria-label={t("callAt", { time: format.dateTime(time) })}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <TextLink to="/calls/$id" params={{ id: call.call_id }} fw={600}>
            <Timestamp at={time} />
          </TextLink>
          {differs && (
            <Badge variant="light" color="orange" tt="none" fw={500}>
              {t("differs")}
            </Badge>
          )}
        </Group>
        {!isPlaying && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon name="play" size={12} />}
            aria-label={t("openPlayerOf", { time: format.dateTime(time) })}
            onClick={onPlay}
          >
            {t("openPlayer")}
          </Button>
        )}
      </Group>
      {isPlaying ? (
        <Suspense fallback={list}>
          <ReviewPlayer callId={call.call_id}>{list}</ReviewPlayer>
        </Suspense>
      ) : (
        list
      )}
    </article>
  );
}

interface OneAnswerProps {
  readonly given: Given;
  readonly question: Question;
  readonly callId: string;
  readonly name: string;
  readonly isExpert: boolean;
}

function OneAnswer({ given: { answer }, question, callId, name, isExpert }: OneAnswerProps) {
  const { t } = useTexts();
  const text = useAnswerText();
  const { comment, moments = [] } = answer;
  return (
    <li>
      <Text size="sm" c="dimmed" className="breakable">
        {isExpert ? t("expertNamed", { name }) : name}
      </Text>
      <span className={classes.chip} data-quiet={answer.value === undefined || undefined}>
        {text(question, answer)}
      </span>
      {comment && (
        <Text size="sm" className={classes.quote}>
          {comment}
        </Text>
      )}
      {moments.length > 0 && (
        <Group gap={6}>
          {moments.map((moment) => (
            <PlayableMoment key={`${moment.start_ms} ${moment.end_ms}`} moment={moment} callId={callId} />
          ))}
        </Group>
      )}
    </li>
  );
}

/** Plays the moment if the player of the call is open, and otherwise links to the call at this second. */
function PlayableMoment({ moment, callId }: { readonly moment: Moment; readonly callId: string }) {
  const { t } = useTexts();
  const playback = usePlayback();
  if (playback) return <MomentButton moment={moment} />;
  const time = clock(moment.start_ms);
  return (
    <TextLink
      to="/calls/$id"
      params={{ id: callId }}
      search={{ t: String(Math.floor(moment.start_ms / 1000)) }}
      size="sm"
      className="tabular"
      aria-label={t("callFrom", { time })}
    >
      {time}
    </TextLink>
  );
}
