import type { DrawBody } from "@hearback/sdk";
import { Alert, Button, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { callTime } from "../reviews/call-time.ts";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { ChunkLoadError } from "../ui/lazy/chunk-load-error.ts";
import { useFormat } from "../ui/time/use-format.ts";
import type { CheckResult, StepResult } from "./check-proof.ts";
import classes from "./my-draws.module.css";
import { useTexts } from "./texts.ts";

interface DrawCheckProps {
  readonly draw: DrawBody;
  readonly proof: string;
}

/** Loaded when it is needed: hashing and the schema of proofs. */
const loadCheck = async () => {
  try {
    return await import("./check-proof.ts");
  } catch (cause) {
    throw new ChunkLoadError("the chunk could not be loaded", { cause });
  }
};

/** Recomputes the draw in the browser and shows the result step by step. */
export function DrawCheck({ draw, proof }: DrawCheckProps) {
  const { t } = useTexts();
  const [noted, setNoted] = useState("");
  const check = useMutation({
    mutationFn: async () => (await loadCheck()).checkProof(proof, draw, noted),
    gcTime: 0,
  });
  return (
    <Stack gap="sm" align="stretch">
      <TextInput
        label={t("noted")}
        description={t("notedDetail")}
        maxLength={100}
        maw={640}
        spellCheck={false}
        autoComplete="off"
        value={noted}
        onChange={({ currentTarget }) => setNoted(currentTarget.value)}
      />
      <div>
        <Button leftSection={<Icon name="shield" size={16} />} loading={check.isPending} onClick={() => check.mutate()}>
          {t("check")}
        </Button>
      </div>
      {check.error && <Problem error={check.error} onRetry={() => check.mutate()} />}
      <div role="status">{check.data && <Result draw={draw} result={check.data} />}</div>
    </Stack>
  );
}

function Result({ draw, result }: { readonly draw: DrawBody; readonly result: CheckResult }) {
  const { t } = useTexts();
  const isWrong = result.steps.some(({ isCorrect }) => isCorrect === false);
  const title = t(result.isCorrect ? "correct" : isWrong ? "incorrect" : "partly");
  return (
    <Alert
      variant="light"
      color={result.isCorrect ? "green" : isWrong ? "red" : "gray"}
      icon={<Icon name={result.isCorrect ? "check" : isWrong ? "warning" : "info"} />}
      title={title}
    >
      <ol className={classes.steps}>
        {result.steps.map((step) => (
          <Step key={step.step} draw={draw} step={step} result={result} />
        ))}
      </ol>
      {isWrong && <Text size="sm">{t("incorrectDetail")}</Text>}
    </Alert>
  );
}

interface StepProps {
  readonly draw: DrawBody;
  readonly step: StepResult;
  readonly result: CheckResult;
}

function Step({ draw, step: { step, isCorrect, problems }, result }: StepProps) {
  const { t } = useTexts();
  const format = useFormat();
  const texts = {
    key: t("stepKey", { at: format.dateTime(callTime(draw.id)), start: format.dateTime(draw.starts_at) }),
    calls: t("stepCalls", { count: result.calls }),
    frame: t("stepFrame", { calls: format.number(draw.calls), agents: format.number(draw.agents) }),
    tickets: `${t("stepTickets", { count: result.drawn })}${result.isLimited ? ` ${t("stepLimited", { number: result.perAgent })}` : ""}`,
  };
  return (
    <li>
      <Text span size="sm" fw={600}>
        {t(isCorrect ? "stepRight" : isCorrect === null ? "stepUnknown" : "stepWrong")}
      </Text>{" "}
      <Text span size="sm">
        {isCorrect === true
          ? texts[step]
          : isCorrect === null
            ? t("notKept")
            : problems.map((problem) => t(`problem_${problem}`)).join(" ")}
      </Text>
    </li>
  );
}
