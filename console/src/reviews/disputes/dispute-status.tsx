import type { DisputeBody } from "@hearback/sdk";
import { Alert, Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useSession } from "../../access/queries.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { lazyComponent } from "../../ui/lazy/lazy-component.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import type { Names } from "../names.ts";
import { useTexts } from "../texts.ts";

const AssignArbiter = lazyComponent(async () => (await import("./assign-arbiter.tsx")).AssignArbiter);

interface DisputeStatusProps {
  /** An open dispute. */
  readonly dispute: DisputeBody;
  /** Users who decided before. */
  readonly earlier: readonly string[];
  readonly names: Names;
}

/** Who decides an open dispute, and until when. */
export function DisputeStatus({ dispute, earlier, names }: DisputeStatusProps) {
  const { t } = useTexts();
  const format = useFormat();
  const { user } = useSession();
  const [assigning, { open, close }] = useDisclosure(false);
  const manages = user.role === "supervisor" || user.role === "admin";
  const { arbiter_id, due_at, overdue } = dispute;
  const date = format.date(due_at);
  const text =
    user.role === "agent"
      ? t("statusForAgent", { date })
      : arbiter_id === null
        ? t("statusUnassigned", { date })
        : arbiter_id === user.id
          ? t("statusYours", { date })
          : t("statusAssigned", { name: names.user(arbiter_id), date });
  return (
    <Alert
      color={overdue && user.role !== "agent" ? "red" : "orange"}
      variant="light"
      icon={<Icon name="dispute" />}
      title={t(overdue && user.role !== "agent" ? "overdueTitle" : "openTitle")}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">{text}</Text>
        {manages && (
          <Button variant="default" size="xs" onClick={open}>
            {t(arbiter_id === null ? "assign" : "reassign")}
          </Button>
        )}
      </Group>
      <Dialog opened={assigning} title={t("assignTitle")} onClose={close}>
        <AssignArbiter dispute={dispute} earlier={earlier} onClose={close} />
      </Dialog>
    </Alert>
  );
}
