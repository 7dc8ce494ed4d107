import type { DrawBody } from "@hearback/sdk";
import { Button, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import scriptUrl from "../../../docs/verify-draw.py?url";
import { usePeriodText } from "../plans/period-text.ts";
import { ProofLink } from "../plans/proof-link.tsx";
import { useSkipReason } from "../queue/skip-reason.ts";
import { callTime } from "../reviews/call-time.ts";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { DrawCheck } from "./draw-check.tsx";
import classes from "./my-draws.module.css";
import { proofQuery } from "./queries.ts";
import { type OwnCalls, readOwnCalls } from "./read-proof.ts";
import { useTexts } from "./texts.ts";

interface DrawCardProps {
  readonly draw: DrawBody;
  readonly initiallyOpen: boolean;
}

/** A draw, with the agent's own calls in it. */
export function DrawCard({ draw, initiallyOpen }: DrawCardProps) {
  const { t } = useTexts();
  const id = useId();
  const periodText = usePeriodText();
  const mine = draw.mine ?? { calls: 0, drawn: 0, skipped: 0 };
  const [opened, { toggle }] = useDisclosure(initiallyOpen && mine.calls > 0);
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between" gap="sm" align="flex-start">
          <div>
            <Title order={3} size="h5" id={id} className="breakable">
              {t("drawTitle", { plan: draw.plan.name, period: periodText(draw.period) })}
            </Title>
            <Text size="sm">{mine.calls === 0 ? t("noneOfMine") : mineText(t, mine)}</Text>
          </div>
          {mine.calls > 0 && (
            <Button
              size="xs"
              variant="default"
              aria-expanded={opened}
              aria-describedby={id}
              onClick={toggle}
              rightSection={<Icon name={opened ? "chevronDown" : "chevronRight"} size={14} />}
            >
              {t(opened ? "hideCalls" : "showCalls")}
            </Button>
          )}
        </Group>
        {opened && <Details draw={draw} />}
      </Stack>
    </Paper>
  );
}

type Translate = ReturnType<typeof useTexts>["t"];

const mineText = (t: Translate, { calls, drawn, skipped }: NonNullable<DrawBody["mine"]>) =>
  [
    t("mineCalls", { count: calls }),
    t("mineDrawn", { count: drawn }),
    ...(skipped > 0 ? [t("mineSkipped", { count: skipped })] : []),
  ].join(" ");

function Details({ draw }: { readonly draw: DrawBody }) {
  const { t } = useTexts();
  const { data: proof, error, refetch } = useQuery(proofQuery(draw.id));
  if (proof === undefined)
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton height={120} />;
  const own = readOwnCalls(proof);
  return (
    <>
      {own ? <Calls own={own} /> : <Text size="sm">{t("notKept")}</Text>}
      <Group gap="sm">
        <ProofLink drawId={draw.id} />
        <Button
          component="a"
          href={scriptUrl}
          download="verify-draw.py"
          variant="default"
          size="xs"
          leftSection={<Icon name="download" size={14} />}
        >
          {t("offlineScript")}
        </Button>
        <Text size="sm" c="dimmed">
          {t("offline")}
        </Text>
      </Group>
      {draw.nonce && (
        <Text size="sm" className="breakable">
          {t("nonceWas", { nonce: draw.nonce })}
        </Text>
      )}
      <DrawCheck draw={draw} proof={proof} />
    </>
  );
}

/** More would make the page slow. The proof has all. */
const mostListed = 500;

function Calls({ own: { calls, drawn } }: { readonly own: OwnCalls }) {
  const { t } = useTexts();
  const reasonText = useSkipReason();
  return (
    <>
      <div>
        <Text size="sm" fw={600}>
          {t("drawnCalls")}
        </Text>
        <ol className={classes.drawn}>
          {drawn.map(({ callId, skipped }) => (
            <li key={callId}>
              <TextLink to="/calls/$id" params={{ id: callId }}>
                <Timestamp at={callTime(callId)} />
              </TextLink>
              {skipped && ` ${t("skippedBecause", { reason: reasonText(skipped) })}`}
            </li>
          ))}
        </ol>
      </div>
      <details>
        <summary className={classes.summary}>{t("allCalls", { count: calls.length })}</summary>
        <ul className={classes.calls}>
          {calls.slice(0, mostListed).map((callId) => (
            <li key={callId}>
              <TextLink to="/calls/$id" params={{ id: callId }}>
                <Timestamp at={callTime(callId)} />
              </TextLink>
            </li>
          ))}
        </ul>
        {calls.length > mostListed && <Text size="sm">{t("moreInProof", { count: calls.length - mostListed })}</Text>}
      </details>
    </>
  );
}
