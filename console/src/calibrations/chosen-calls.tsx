import { ActionIcon, Text } from "@mantine/core";
import { callTime } from "../reviews/call-time.ts";
import { Icon } from "../ui/icon.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import classes from "./calibrations.module.css";
import { useTexts } from "./texts.ts";

interface ChosenCallsProps {
  readonly ids: readonly string[];
  readonly onRemove: (id: string) => void;
}

/** Calls of a session that is being created, in the order in which they are scored. */
export function ChosenCalls({ ids, onRemove }: ChosenCallsProps) {
  const { t } = useTexts();
  const format = useFormat();
  if (ids.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {t("noChosenCalls")}
      </Text>
    );
  return (
    <ol className={classes.found} aria-label={t("chosenCalls")}>
      {ids.map((id) => (
        <li key={id}>
          <TextLink to="/calls/$id" params={{ id }} target="_blank">
            <Timestamp at={callTime(id)} />
          </TextLink>
          <ActionIcon
            variant="subtle"
            color="gray"
            c="var(--mantine-color-text)"
            aria-label={t("removeCall", { time: format.dateTime(callTime(id)) })}
            onClick={() => onRemove(id)}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        </li>
      ))}
    </ol>
  );
}
