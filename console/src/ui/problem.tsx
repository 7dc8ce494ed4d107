import { ServiceError } from "@hearback/sdk";
import { Alert, Button, Group, List, Text, VisuallyHidden } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "./icon.tsx";
import { useFieldErrors, usePartName, useProblemText } from "./use-problem-text.ts";

interface ProblemProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** The parts whose fields show by themselves what is wrong with them. */
  readonly shownBeside?: readonly string[];
  /** One sentence, for a small form. */
  readonly brief?: boolean;
}

/** What went wrong, and a way on. */
export function Problem({ error, onRetry, shownBeside = [], brief = false }: ProblemProps) {
  const { t } = useTexts("ui");
  const detail = useProblemText()(error);
  const nameOf = usePartName();
  const all = Object.entries(useFieldErrors(error));
  const wrong = all.filter(([part]) => !shownBeside.includes(part));
  const known = error instanceof ServiceError ? error : undefined;
  const title = !known ? t("problemUnexpected") : known.status === 0 ? t("problemAway") : t("problemRefused");
  // What is wrong is seen beside the fields already; who does not see is told.
  if (brief && all.length > 0 && wrong.length === 0) return <VisuallyHidden role="alert">{detail}</VisuallyHidden>;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<Icon name="warning" />}
      {...(!brief && { title })}
      role="alert"
      className="problem"
    >
      <Text size="sm">{detail}</Text>
      {wrong.length > 0 && (
        <List size="sm" mt={4}>
          {wrong.map(([part, text]) => (
            <List.Item key={part}>{t("partProblem", { part: nameOf(part), problem: text })}</List.Item>
          ))}
        </List>
      )}
      {!brief && (onRetry || known?.requestId) && (
        <Group mt="sm" gap="md">
          {onRetry && (
            <Button size="xs" variant="default" onClick={onRetry} leftSection={<Icon name="refresh" size={14} />}>
              {t("retry")}
            </Button>
          )}
          {known?.requestId && (
            <Text size="xs" className="tabular">
              {t("requestId", { id: known.requestId })}
            </Text>
          )}
        </Group>
      )}
    </Alert>
  );
}
