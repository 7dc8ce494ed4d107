import { Group, Text, VisuallyHidden } from "@mantine/core";
import { Icon } from "../../ui/icon.tsx";
import { type Outcome, Score } from "../../ui/score.tsx";
import { useTexts } from "../texts.ts";

interface Scored {
  readonly score: number | null;
  readonly outcome: Outcome | null;
}

/** Preview of a score before it is saved. */
export function ScoreChange({ before, after }: { readonly before: Scored; readonly after: Scored }) {
  const { t } = useTexts();
  const isSame = before.score === after.score && before.outcome === after.outcome;
  return (
    <Group gap={8} role="status">
      <Text size="sm" c="dimmed">
        {t("score")}
      </Text>
      <Score score={before.score} outcome={before.outcome} />
      {!isSame && (
        <>
          <Icon name="chevronRight" size={14} />
          <VisuallyHidden>{t("becomes")}</VisuallyHidden>
          <Score score={after.score} outcome={after.outcome} />
        </>
      )}
    </Group>
  );
}
