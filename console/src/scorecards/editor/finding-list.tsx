import { Stack, Text, UnstyledButton } from "@mantine/core";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { DraftDocument } from "../draft/draft-document.ts";
import { findQuestion } from "../draft/draft-operations.ts";
import { type Finding, placeOfFinding } from "../draft/lint-draft.ts";
import { findingText } from "../finding-text.ts";
import { useTexts } from "../texts.ts";
import classes from "./editor.module.css";

interface FindingListProps {
  readonly document: DraftDocument;
  readonly findings: readonly Finding[];
  /** Opens the element that a finding is about. */
  readonly onGo: (open: string | null, focus: string) => void;
}

/** What the linter found. A click leads to the element. */
export function FindingList({ document, findings, onGo }: FindingListProps) {
  const { t } = useTexts();
  if (findings.length === 0)
    return (
      <EmptyState icon="check" title={t("noFindings")}>
        <Text size="sm">{t("noFindingsDetail")}</Text>
      </EmptyState>
    );
  return (
    <Stack component="ul" gap={6} m={0} p={0} className="plain-list">
      {findings.map((finding, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two findings can be equal
        <li key={index}>
          <UnstyledButton
            className={classes.finding}
            data-severity={finding.severity}
            onClick={() => {
              const { kind, id } = placeOfFinding(document, finding.path);
              if (kind === "question" && id !== undefined) onGo(id, `title:${id}`);
              else if (kind === "section" && id !== undefined) onGo(null, `section:${id}`);
              else if (finding.path.startsWith("/sections")) onGo(null, "sections");
              else onGo("settings", "settings");
            }}
          >
            <FindingLine document={document} finding={finding} withPlace />
          </UnstyledButton>
        </li>
      ))}
    </Stack>
  );
}

interface FindingLineProps {
  readonly document: DraftDocument;
  readonly finding: Finding;
  /** Names the section or question as well. */
  readonly withPlace?: boolean;
}

export function FindingLine({ document, finding, withPlace = false }: FindingLineProps) {
  const texts = useTexts();
  const { kind, id } = placeOfFinding(document, finding.path);
  const place =
    kind === "question"
      ? findQuestion(document, id ?? "")?.title || texts.t("untitledQuestion")
      : kind === "section"
        ? document.sections.find((section) => section.id === id)?.title || texts.t("untitledSection")
        : undefined;
  return (
    <span className={classes.findingLine} data-severity={finding.severity}>
      <Icon name={finding.severity === "error" ? "warning" : "info"} size={16} />
      <span>
        {withPlace && place && (
          <Text span size="sm" fw={600} display="block" className="breakable">
            {place}
          </Text>
        )}
        <Text span size="sm">
          {findingText(finding, document, texts)}
        </Text>
      </span>
    </span>
  );
}
