import type { ScorecardDetailBody, ScorecardVersionBody } from "@hearback/sdk";
import { Alert, Text } from "@mantine/core";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { readDraft } from "../draft/draft-document.ts";
import { emptyDocument } from "../empty-document.ts";
import { useTexts } from "../texts.ts";
import { DraftEditor } from "./draft-editor.tsx";

interface ScorecardEditorProps {
  readonly scorecard: ScorecardDetailBody;
  /** Undefined: never published. */
  readonly latest: ScorecardVersionBody | undefined;
}

/** Editor of the draft. Without a draft, it starts from the published version. */
export function ScorecardEditor({ scorecard, latest }: ScorecardEditorProps) {
  const { t } = useTexts();
  const document = readDraft(scorecard.draft?.document ?? latest?.document ?? emptyDocument);
  if (!document)
    return (
      <EmptyState icon="warning" title={t("notEditable")}>
        <Text maw={560}>{t("notEditableDetail")}</Text>
        <Alert color="red" variant="light" ta="left" mt="sm">
          {scorecard.draft?.findings.slice(0, 10).map(({ path, message, fix }) => (
            <Text key={`${path} ${message}`} size="sm" lang="en" className="breakable">
              <code>{path}</code> {message} {fix}
            </Text>
          ))}
        </Alert>
      </EmptyState>
    );
  return <DraftEditor scorecard={scorecard} latest={latest} initial={document} />;
}
