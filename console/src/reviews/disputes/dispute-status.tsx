import type { ScorecardDocument } from "@hearback/scoring/document";
import type { DisputeBody } from "@hearback/sdk";
import { Alert, Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useSession } from "../../access/queries.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { lazyComponent } from "../../ui/lazy/lazy-component.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import type { Names } from "../people/names.ts";
import { useTexts } from "../texts.ts";
import { QuestionLinks } from "./question-links.tsx";

const AssignArbiter = lazyComponent(async () => (await import("./assign-arbiter.tsx")).AssignArbiter);

interface DisputeStatusProps {
  /** An open dispute. */
  readonly dispute: DisputeBody;
  readonly document: ScorecardDocument;
  /** Users who decided before. */
  readonly earlier: readonly string[];
  readonly names: Names;
}

/** Who decides an open dispute, and until when, with links to the disputed answers. */
export function DisputeStatus({ dispute, document, earlier, names }: DisputeStatusProps) {
  const { t } = useTexts();
  const format = useFormat();
  const { user } = useSession();
  const isAgent = user.role === "agent";
  const [assigning, { open, close }] = useDisclosure(false);
  const mayAssign = (user.role === "supervisor" || user.role === "admin") && dispute.reviewer.id !== user.id;
  const { arbiter_id, due_at, overdue } = dispute;
  const date = format.date(due_at);
  const text = isAgent
    ? t("statusForAgent", { date })
    : arbiter_id === null
      ? t("statusUnassigned", { date })
      : arbiter_id === user.id
        ? t("statusYours", { date })
        : t("statusAssigned", { name: names.user(arbiter_id), date });
  return (
    <Alert
      color={overdue && !isAgent ? "red" : "orange"}
      variant="light"
      icon={<Icon name="dispute" />}
      title={t(isAgent ? "objectionOpen" : overdue ? "overdueTitle" : "disputeOpen")}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">{text}</Text>
        {mayAssign && (
          <Button variant="default" size="xs" onClick={open}>
            {t(arbiter_id === null ? "assign" : "reassign")}
          </Button>
        )}
      </Group>
      <QuestionLinks label={t("disputedAnswers")} dispute={dispute} document={document} />
      <Dialog opened={assigning} title={t("assignTitle")} onClose={close}>
        <AssignArbiter dispute={dispute} earlier={earlier} onClose={close} />
      </Dialog>
    </Alert>
  );
}
