import { Button, Kbd, NativeSelect, Paper, Stack, Text, Title } from "@mantine/core";
import { useShortcuts } from "../../ui/shortcuts/shortcuts.tsx";
import styles from "../review.module.css";
import { useTexts } from "../texts.ts";
import type { Choice } from "./choose-scorecard.ts";

interface ScorecardChoiceProps {
  readonly choices: readonly Choice[];
  readonly selected: Choice | undefined;
  readonly choose: (id: string) => void;
}

/** Which scorecard to use, or which other one. */
export function ScorecardChoice({ choices, selected, choose }: ScorecardChoiceProps) {
  const { t } = useTexts();
  if (!selected) return <FirstChoice choices={choices} choose={choose} />;
  return (
    <NativeSelect
      label={t("scorecard")}
      data={choices.map(({ id, name, draftId }) => ({
        value: id,
        label: draftId ? `${name} (${t("draftOf")})` : name,
      }))}
      value={selected.id}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  );
}

/** Chosen with a digit or a button. Later calls use the same scorecard. */
function FirstChoice({ choices, choose }: Omit<ScorecardChoiceProps, "selected">) {
  const { t } = useTexts();
  const byDigit = (digit: number) => {
    const choice = choices[digit - 1];
    if (choice) choose(choice.id);
  };
  useShortcuts([
    {
      keys: [..."123456789"],
      shown: "1 – 9",
      group: t("keys"),
      text: t("chooseScorecard"),
      run: ({ key }) => byDigit(Number(key)),
    },
  ]);
  return (
    <Paper withBorder p="lg">
      <Stack gap="md">
        <div>
          <Title order={2} size="h4">
            {t("chooseScorecard")}
          </Title>
          <Text size="sm" c="dimmed">
            {t("chooseScorecardDetail")}
          </Text>
        </div>
        <div className={styles.choices}>
          {choices.map(({ id, name }, index) => (
            <Button
              key={id}
              variant="default"
              justify="flex-start"
              leftSection={index < 9 && <Kbd aria-hidden="true">{index + 1}</Kbd>}
              onClick={() => choose(id)}
            >
              {name}
            </Button>
          ))}
        </div>
      </Stack>
    </Paper>
  );
}
