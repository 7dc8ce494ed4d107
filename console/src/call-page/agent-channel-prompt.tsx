import type { CallDetailBody } from "@hearback/sdk";
import { Button, Group, Text } from "@mantine/core";
import { Problem } from "../ui/feedback/problem.tsx";
import { useChangeCall } from "./queries.ts";
import { useTexts } from "./texts.ts";

/** Asks which channel the agent is on, if that is unknown. */
export function AgentChannelPrompt({ call }: { readonly call: Omit<CallDetailBody, "transcript"> }) {
  const { t } = useTexts();
  const change = useChangeCall(call.id);
  if (call.audio?.layout !== "dual" || call.agent_channel.value !== "unknown") return null;
  return (
    <Group gap="xs">
      <Text size="sm">{t("whichSide")}</Text>
      {(["left", "right"] as const).map((agentChannel) => (
        <Button
          key={agentChannel}
          size="xs"
          variant="default"
          disabled={change.isPending}
          onClick={() => change.mutate({ agentChannel })}
        >
          {t(agentChannel === "left" ? "sideLeft" : "sideRight")}
        </Button>
      ))}
      {change.error && <Problem error={change.error} />}
    </Group>
  );
}
