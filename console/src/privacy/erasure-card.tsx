import type { ErasureBody } from "@hearback/sdk";
import { Button, CloseButton, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useNames } from "../audit/names.ts";
import { Who } from "../audit/who.tsx";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import { LoadingRows } from "../ui/loading-rows.tsx";
import { Problem } from "../ui/problem.tsx";
import { useFormat } from "../ui/use-format.ts";
import { When } from "../ui/when.tsx";
import { ErasureState, ErasureSubject } from "./erasure-words.tsx";
import { privacyQueries, useForgetErased, useSaveCertificate } from "./queries.ts";

interface ErasureCardProps {
  readonly id: string;
  /** Begins with the focus: it stands above the list from which it was chosen. */
  readonly first: boolean;
  readonly onClose: () => void;
}

/** One erasure: how far it is, what came of it, and its proof. */
export function ErasureCard({ id, first, onClose }: ErasureCardProps) {
  const { t } = useTexts("privacy");
  const ui = useTexts("ui");
  const { data: erasure, error, refetch } = useQuery(privacyQueries.erasure(id));
  const forget = useForgetErased();
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
  const { t } = useTexts("privacy");
  const format = useFormat();
  const { requested_by, created_at, ended_at, erased, held, bytes } = erasure;
  const names = useNames(requested_by.type === "user" && requested_by.id ? [requested_by.id] : []);
  const facts = [
    { title: t("what"), value: <ErasureSubject erasure={erasure} names={names} /> },
    { title: t("by"), value: <Who actor={requested_by} names={names} /> },
    { title: t("requestedAt"), value: <When at={created_at} /> },
    {
      title: t("erased"),
      value: t("callsOfSize", { count: erased, number: format.number(erased), size: format.bytes(bytes) }),
    },
    { title: t("heldBack"), value: ended_at ? format.number(held) : t("knownAtTheEnd") },
    { title: t("endedAt"), value: ended_at ? <When at={ended_at} /> : "–" },
  ];
  return (
    <>
      <Course erasure={erasure} />
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

/** How far it is, in words and as a bar. */
function Course({ erasure }: { readonly erasure: ErasureBody }) {
  const { t } = useTexts("privacy");
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
  const { t } = useTexts("privacy");
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
        <Text size="sm" c="dimmed" maw={560}>
          {t("certificateDetail")}
        </Text>
      </Group>
      {save.error && <Problem error={save.error} />}
    </Stack>
  );
}
