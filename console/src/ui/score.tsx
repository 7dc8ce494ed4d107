import { Badge, Group, Text } from "@mantine/core";
import { useTexts } from "./texts.ts";
import { useFormat } from "./time/use-format.ts";

export type Outcome = "passed" | "failed" | "not_scored";

interface ScoreProps {
  /** In hundredths: 87.35 is 8735. null: not scored. */
  readonly score: number | null;
  readonly outcome: Outcome | null;
}

const colors = { passed: "green", failed: "red", not_scored: "gray" } as const;

/** Formats hundredths of a point: 8735 is "87.35". */
export function useScoreText(): (hundredths: number) => string {
  const { language } = useFormat();
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  return (hundredths) => format.format(hundredths / 100);
}

/** A score with its outcome. */
export function Score({ score, outcome }: ScoreProps) {
  const { t } = useTexts();
  const text = useScoreText();
  if (outcome === null) return "–";
  return (
    <Group component="span" display="inline-flex" gap={8} wrap="nowrap">
      {score !== null && (
        <Text span inherit fw={600} className="tabular">
          {text(score)}
        </Text>
      )}
      <Badge component="span" variant="light" color={colors[outcome]} tt="none" fw={500}>
        {t(`outcome_${outcome}`)}
      </Badge>
    </Group>
  );
}
