import type { ScorecardDetailBody } from "@hearback/sdk";
import { Button } from "@mantine/core";
import { Icon } from "../ui/icon.tsx";
import type { RowAction } from "../ui/table/row-button.tsx";
import { RowMenu } from "../ui/table/row-menu.tsx";
import { useTexts } from "./texts.ts";

export type ScorecardAction = "download" | "assign" | "discard" | "retire";

interface ScorecardActionsProps {
  readonly scorecard: ScorecardDetailBody;
  readonly isManager: boolean;
  readonly onAction: (action: ScorecardAction) => void;
}

/** Buttons beside the name of a scorecard. */
export function ScorecardActions({ scorecard, isManager, onAction }: ScorecardActionsProps) {
  const { t } = useTexts();
  const actions: RowAction[] = [
    { label: t("assign"), icon: "people", onClick: () => onAction("assign") },
    {
      label: t(scorecard.retired_at ? "bringBack" : "retire"),
      icon: scorecard.retired_at ? "refresh" : "box",
      onClick: () => onAction("retire"),
    },
  ];
  if (scorecard.has_draft)
    actions.push({ label: t("discard"), icon: "trash", dangerous: true, onClick: () => onAction("discard") });
  return (
    <>
      <Button variant="default" leftSection={<Icon name="download" size={16} />} onClick={() => onAction("download")}>
        {t("download")}
      </Button>
      {isManager && <RowMenu name={scorecard.name} actions={actions} />}
    </>
  );
}
