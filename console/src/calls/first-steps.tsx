import { Group, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Icon } from "../ui/icon.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { callQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

/** Checklist of a new workspace. */
export function FirstSteps() {
  const { t } = useTexts();
  const { data: campaigns } = useQuery(callQueries.campaigns);
  const { data: hasAgents } = useQuery(callQueries.hasAgents);
  const { data: hasScorecards } = useQuery(callQueries.hasScorecards);
  const steps = [
    {
      to: "/campaigns" as const,
      text: t("stepCampaign"),
      detail: t("stepCampaignDetail"),
      done: (campaigns?.size ?? 0) > 0,
    },
    { to: "/people" as const, text: t("stepAgents"), detail: t("stepAgentsDetail"), done: hasAgents === true },
    {
      to: "/scorecards" as const,
      text: t("stepScorecard"),
      detail: t("stepScorecardDetail"),
      done: hasScorecards === true,
    },
    { to: "/uploads" as const, text: t("stepCalls"), detail: t("stepCallsDetail"), done: false },
  ];
  return (
    <Stack component="ol" gap="sm" ta="left" p={0} m={0} className="plain-list" aria-label={t("steps")}>
      {steps.map(({ to, text, detail, done }) => (
        <Group key={to} component="li" gap="sm" wrap="nowrap" align="flex-start">
          <Text span c={done ? "green" : "dimmed"} lh={1} mt={3}>
            <Icon name={done ? "check" : "circle"} />
          </Text>
          <div>
            <TextLink to={to} fw={600}>
              {text}
            </TextLink>
            {done && <VisuallyHidden> {t("stepDone")}</VisuallyHidden>}
            <Text size="sm" c="dimmed">
              {detail}
            </Text>
          </div>
        </Group>
      ))}
    </Stack>
  );
}
