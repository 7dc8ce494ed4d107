import type { CampaignBody } from "@hearback/sdk";
import { Group, Radio, Text } from "@mantine/core";
import { useTexts } from "./texts.ts";

export type AgentSide = CampaignBody["agent_channel"];

const sides = [
  { value: "left", label: "sideLeft" },
  { value: "right", label: "sideRight" },
  { value: "unknown", label: "sideUnknown" },
] as const;

interface AgentSideFieldProps {
  readonly value: AgentSide;
  readonly onChange: (side: AgentSide) => void;
  /** Additional description. */
  readonly note?: string;
}

export function AgentSideField({ value, onChange, note }: AgentSideFieldProps) {
  const { t } = useTexts();
  return (
    <Radio.Group
      label={t("side")}
      description={note ? `${t("sideDetail")} ${note}` : t("sideDetail")}
      value={value}
      onChange={(side) => onChange(side as AgentSide)}
    >
      <Group mt="xs" gap="lg">
        {sides.map((side) => (
          <Radio key={side.value} value={side.value} label={t(side.label)} />
        ))}
      </Group>
    </Radio.Group>
  );
}

export function AgentSideName({ side }: { readonly side: AgentSide }) {
  const { t } = useTexts();
  const name = t(sides.find(({ value }) => value === side)?.label ?? "sideUnknown");
  return (
    <Text span inherit {...(side === "unknown" && { c: "dimmed" })}>
      {name}
    </Text>
  );
}
