import type { Question } from "@hearback/scoring/question";
import { Alert, Button, Stack, Text } from "@mantine/core";
import { Icon } from "../../ui/icon.tsx";
import { describeAnswer } from "../describe-answer.ts";
import styles from "../review.module.css";
import { useTexts } from "../texts.ts";
import { type Conflict, reviewComment } from "./save-queue.ts";

interface ConflictsProps {
  readonly conflicts: readonly Conflict[];
  readonly questions: ReadonlyMap<string, Question>;
  readonly onResolve: (field: string, keep: "mine" | "theirs") => void;
}

/** Answers that were changed here and in another window. */
export function Conflicts({ conflicts, questions, onResolve }: ConflictsProps) {
  const { t } = useTexts();
  return (
    <Alert color="orange" variant="default" icon={<Icon name="warning" />} title={t("changedElsewhere")} role="alert">
      <Stack gap="md">
        <Text size="sm">{t("changedElsewhereDetail")}</Text>
        {conflicts.map(({ field, value, theirs }) => {
          const question = questions.get(field);
          const title = field === reviewComment ? t("overall") : (question?.title ?? field);
          const sides = [
            { keep: "mine", label: t("here"), action: t("keepMine"), shown: value },
            { keep: "theirs", label: t("elsewhere"), action: t("keepTheirs"), shown: theirs },
          ] as const;
          return (
            <div key={field}>
              <Text size="sm" fw={600} mb={6}>
                {title}
              </Text>
              <div className={styles.sides}>
                {sides.map(({ keep, label, action, shown }) => (
                  <div key={keep} className={styles.side}>
                    <div>
                      <Text size="xs" c="dimmed">
                        {label}
                      </Text>
                      <Text size="sm">{describeAnswer(question, shown, t)}</Text>
                    </div>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`${action} (${label}): ${title}`}
                      onClick={() => onResolve(field, keep)}
                    >
                      {action}
                    </Button>
                  </div>
                ))}
              </div>
            </div>
          );
        })}
      </Stack>
    </Alert>
  );
}
