import type { AssignmentBody } from "@hearback/sdk";
import { Group, Kbd, Paper, Text, Title } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { callTime } from "../reviews/call-time.ts";
import type { Names } from "../reviews/people/names.ts";
import { Icon } from "../ui/icon.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { useShortcuts } from "../ui/shortcuts/shortcuts.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { queueLink } from "./queue-link.ts";
import { useTexts } from "./texts.ts";

interface NextCallProps {
  readonly next: AssignmentBody;
  readonly names: Names;
}

/** The call to review next. Enter opens it. */
export function NextCall({ next, names }: NextCallProps) {
  const { t } = useTexts();
  const format = useFormat();
  const navigate = useNavigate();
  const link = queueLink(next);
  useShortcuts([{ keys: ["Enter"], group: t("title"), text: t("keyStart"), run: () => void navigate(link) }]);
  return (
    <Paper component="section" withBorder p={{ base: "md", sm: "lg" }} aria-labelledby="next-call">
      <Group justify="space-between" gap="md">
        <div>
          <Title order={2} size="h4" id="next-call">
            {t("nextCall")}
          </Title>
          <Text className="breakable">
            {t("callOf", { agent: names.user(next.agent_id), time: format.dateTime(callTime(next.call_id)) })}
          </Text>
          <Text size="sm" c="dimmed" className="breakable">
            {t("planAndDue", { plan: next.plan.name, due: format.date(next.due_at) })}
          </Text>
        </div>
        <LinkButton
          {...link}
          size="md"
          leftSection={<Icon name="play" size={16} />}
          rightSection={
            <Kbd size="xs" visibleFrom="sm" aria-hidden="true">
              ⏎
            </Kbd>
          }
        >
          {t(next.review_id ? "continueNext" : "startNext")}
        </LinkButton>
      </Group>
    </Paper>
  );
}
