import { Group, Progress, ScrollArea, Stack, Text } from "@mantine/core";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import { useProblemText } from "../ui/feedback/use-problem-text.ts";
import type { Outcome } from "./invite-batch.ts";
import { useTexts } from "./texts.ts";

const colours = { waiting: "gray", added: "green", existing: "blue", failed: "red" } as const;

/** Result per person. */
export function InviteOutcomes({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  const { t } = useTexts();
  const problemText = useProblemText();
  const done = outcomes.filter(({ state }) => state !== "waiting").length;
  const count = (wanted: Outcome["state"]) => outcomes.filter(({ state }) => state === wanted).length;
  return (
    <Stack gap="sm">
      <Progress value={(done / outcomes.length) * 100} aria-label={t("progress")} />
      <Text aria-live="polite">
        {t("outcomes", { added: count("added"), existing: count("existing"), failed: count("failed") })}
      </Text>
      <ScrollArea.Autosize
        mah={360}
        type="auto"
        offsetScrollbars="y"
        viewportProps={{ tabIndex: 0, "aria-label": t("outcomesEach") }}
      >
        <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: "none" }}>
          {outcomes.map(({ person, state, error }) => (
            <li key={person.line}>
              <Group justify="space-between" wrap="nowrap" gap="sm">
                <div style={{ minWidth: 0, overflowWrap: "anywhere" }}>
                  <Text size="sm" fw={600}>
                    {person.name}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {person.email}
                  </Text>
                  {state === "failed" && <Text size="sm">{problemText(error)}</Text>}
                </div>
                <StatusBadge color={colours[state]}>{t(`outcome_${state}`)}</StatusBadge>
              </Group>
            </li>
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  );
}
