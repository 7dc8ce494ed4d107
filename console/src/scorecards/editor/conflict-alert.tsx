import { Alert, Button, Group } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { toastProblem } from "../../ui/feedback/toast.tsx";
import { useProblemText } from "../../ui/feedback/use-problem-text.ts";
import { Icon } from "../../ui/icon.tsx";
import { type DraftDocument, readDraft } from "../draft/draft-document.ts";
import type { DraftSaver } from "../draft/draft-saver.ts";
import { scorecardQueries, useReloadScorecard } from "../queries.ts";
import { useTexts } from "../texts.ts";
import classes from "./editor.module.css";

interface ConflictAlertProps {
  readonly id: string;
  readonly saver: DraftSaver<DraftDocument>;
  /** Shows another document. The own one stays in the history: undo brings it back. */
  readonly onLoad: (document: DraftDocument) => void;
}

/** Shown when the draft was changed elsewhere: load that state, or overwrite it knowingly. */
export function ConflictAlert({ id, saver, onLoad }: ConflictAlertProps) {
  const { t } = useTexts();
  const problem = useProblemText();
  const queries = useQueryClient();
  const reload = useReloadScorecard(id);
  const state = useSyncExternalStore(saver.subscribe, saver.state);
  const [isLoading, setLoading] = useState(false);
  if (state.kind !== "conflict") return null;
  const loadTheirs = async () => {
    setLoading(true);
    try {
      const scorecard = await reload();
      const { draft, latest_version: version } = scorecard;
      const published =
        draft || version === null ? undefined : await queries.fetchQuery(scorecardQueries.version(id, version));
      const theirs = readDraft(draft?.document ?? published?.document ?? { sections: [] });
      if (!theirs) return window.location.reload();
      saver.reset(theirs, scorecard.draft_number ?? 0);
      onLoad(theirs);
    } catch (error) {
      toastProblem(problem(error));
    } finally {
      setLoading(false);
    }
  };
  return (
    <Alert
      color="orange"
      variant="light"
      mb="md"
      icon={<Icon name="warning" />}
      title={t("conflict")}
      role="alert"
      className={classes.conflict}
    >
      {t("conflictDetail")}
      <Group gap="sm" mt="sm">
        <Button size="xs" loading={isLoading} onClick={() => void loadTheirs()}>
          {t("loadTheirs")}
        </Button>
        <Button size="xs" variant="default" onClick={() => void saver.overwrite(state.number)}>
          {t("keepMine")}
        </Button>
      </Group>
    </Alert>
  );
}
