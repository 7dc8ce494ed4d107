import type { CallDetailBody } from "@hearback/sdk";
import { Button, Group, Text } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { Problem } from "../ui/problem.tsx";
import { useChangeCall } from "./queries.ts";

/** Asks for what only a person can hear: who is on which channel. */
export function WhichSide({ call }: { readonly call: CallDetailBody }) {
  const { t } = useTexts("player");
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
