import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useSession } from "../access/queries.ts";
import { Icon } from "../ui/icon.tsx";
import { type AssignmentAction, AssignmentDialogs } from "./assignment-dialogs.tsx";
import { assignmentQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface QueueActionsProps {
  readonly callId: string;
  readonly scorecardId: string | undefined;
}

/** Skips or hands back a call of the queue that is being reviewed. */
export function QueueActions({ callId, scorecardId }: QueueActionsProps) {
  const { t } = useTexts();
  const { user } = useSession();
  const navigate = useNavigate();
  const { data: assignments } = useQuery(assignmentQueries.first(user.id));
  const [action, setAction] = useState<AssignmentAction>();
  const assignment = assignments?.find((each) => each.call_id === callId && each.scorecard_id === scorecardId);
  if (!assignment) return null;
  return (
    <>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="skipForward" size={14} />}
          onClick={() => setAction({ what: "skip", assignment })}
        >
          {t("skip")}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="undo" size={14} />}
          onClick={() => setAction({ what: "handBack", assignment })}
        >
          {t("handBack")}
        </Button>
      </Group>
      <AssignmentDialogs
        action={action}
        onDone={() => void navigate({ to: "/queue" })}
        onClose={() => setAction(undefined)}
      />
    </>
  );
}
