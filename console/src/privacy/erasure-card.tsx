import type { ErasureBody } from "@hearback/sdk";
import { Button, CloseButton, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Actor } from "../audit/actor.tsx";
import { useNames } from "../audit/names.ts";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { LoadingRows } from "../ui/table/loading-rows.tsx";
import { useTexts as useUiTexts } from "../ui/texts.ts";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { ErasureState, ErasureSubject } from "./erasure-status.tsx";
import { PrintCertificate } from "./print-certificate.tsx";
import { privacyQueries, useInvalidateAfterErasure, useSaveCertificate } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface ErasureCardProps {
  readonly id: string;
  /** Takes the focus when opened from the list below. */
  readonly first: boolean;
  readonly onClose: () => void;
}

/** One erasure: progress, result and certificate. */
export function ErasureCard({ id, first, onClose }: ErasureCardProps) {
  const { t } = useTexts();
  const ui = useUiTexts();
  const { data: erasure, error, refetch } = useQuery(privacyQueries.erasure(id));
  const forget = useInvalidateAfterErasure();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (first) card.current?.focus();
  }, [first]);
  const wasRunning = useRef(false);
  const state = erasure?.state;
  useEffect(() => {
    if (state === "done" && wasRunning.current) forget();
    wasRunning.current = state !== undefined && state !== "done";
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={t("erasureTitle")} ref={card} tabIndex={-1}>
      <Stack gap="md">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Group gap="sm">
            <Title order={2} size="h4">
              {t("erasureTitle")}
            </Title>
            {erasure && <ErasureState state={erasure.state} />}
          </Group>
          <CloseButton onClick={onClose} aria-label={ui.t("close")} />
        </Group>
        {erasure ? <Facts erasure={erasure} /> : !error && <LoadingRows rows={2} height={60} />}
        {error && <Problem error={error} onRetry={() => void refetch()} />}
      </Stack>
    </Paper>
  );
}

function Facts({ erasure }: { readonly erasure: ErasureBody }) {
  const { t } = useTexts();
  const format = useFormat();
  const { requested_by, created_at, ended_at, erased, held, bytes } = erasure;
  const names = useNames(requested_by.type === "user" && requested_by.id ? [requested_by.id] : []);
  const facts = [
    { title: t("what"), value: <ErasureSubject erasure={erasure} names={names} /> },
    { title: t("by"), value: <Actor actor={requested_by} names={names} /> },
    { title: t("requestedAt"), value: <Timestamp at={created_at} /> },
    {
      title: t("erased"),
      value: t("callsOfSize", { count: erased, number: format.number(erased), size: format.bytes(bytes) }),
    },
    { title: t("heldBack"), value: ended_at ? format.number(held) : t("shownWhenDone") },
    { title: t("endedAt"), value: ended_at ? <Timestamp at={ended_at} /> : "–" },
  ];
  return (
    <>
      <ErasureProgress erasure={erasure} />
      <SimpleGrid cols={{ base: 2, md: 3 }} spacing="md">
        {facts.map(({ title, value }) => (
          <div key={title}>
            <Text size="sm" c="dimmed">
              {title}
            </Text>
            <Text component="div">{value}</Text>
          </div>
        ))}
      </SimpleGrid>
      {ended_at && <Certificate id={erasure.id} />}
    </>
  );
}

function ErasureProgress({ erasure }: { readonly erasure: ErasureBody }) {
  const { t } = useTexts();
  const { number } = useFormat();
  const { state, found, erased, held, agent_erased } = erasure;
  const share = state === "done" ? 100 : found ? Math.min(99, (100 * erased) / found) : 0;
  const counts = {
    count: erased,
    erased: number(erased),
    found: number(found ?? 0),
    kept: t("keptByHold", { count: held, number: number(held) }),
  };
  const word = state === "done" ? (held > 0 ? "doneHeld" : "doneAll") : found === null ? "notBegun" : "course";
  return (
    <div>
      <Text role="status" fw={600} mb={6}>
        {t(word, counts)} {state === "done" && agent_erased && t("agentErased")}
      </Text>
      <Progress value={share} aria-label={t("progress")} {...(state === "done" && { color: "green" })} size="md" />
      {state === "done" && held > 0 && (
        <Text size="sm" c="dimmed" mt={6}>
          {t("doneHeldDetail")}
        </Text>
      )}
    </div>
  );
}

function Certificate({ id }: { readonly id: string }) {
  const { t } = useTexts();
  const save = useSaveCertificate();
  return (
    <Stack gap="sm">
      <Group gap="md">
        <Button
          variant="default"
          leftSection={<Icon name="download" />}
          loading={save.isPending}
          onClick={() => save.mutate(id)}
        >
          {t("certificate")}
        </Button>
        <PrintCertificate id={id} />
        <Text size="sm" c="dimmed" maw={560}>
          {t("certificateDetail")}
        </Text>
      </Group>
      {save.error && <Problem error={save.error} />}
    </Stack>
  );
}
