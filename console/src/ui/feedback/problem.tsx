import { ServiceError } from "@hearback/sdk";
import { Alert, Button, Group, List, Text, VisuallyHidden } from "@mantine/core";
import { Icon } from "../icon.tsx";
import { useTexts } from "../texts.ts";
import { useFieldErrors, usePartName, useProblemText } from "./use-problem-text.ts";

interface ProblemProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** Fields that show their own errors. */
  readonly shownBeside?: readonly string[];
  /** One sentence, for small forms. */
  readonly brief?: boolean;
}

/** Error message with a retry button. */
export function Problem({ error, onRetry, shownBeside = [], brief = false }: ProblemProps) {
  const { t } = useTexts();
  const detail = useProblemText()(error);
  const nameOf = usePartName();
  const all = Object.entries(useFieldErrors(error));
  const wrong = all.filter(([part]) => !shownBeside.includes(part));
  const known = error instanceof ServiceError ? error : undefined;
  const title = !known ? t("problemUnexpected") : known.status === 0 ? t("problemAway") : t("problemRefused");
  // The fields show the errors; screen readers get an announcement.
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
