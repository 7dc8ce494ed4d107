import type { ErasurePreviewBody, ErasureTarget } from "@hearback/sdk";
import { Alert, Button, Group, List, Paper, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { type Names, useNames } from "../audit/names.ts";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { useTexts as useUiTexts } from "../ui/texts.ts";
import { useFormat } from "../ui/time/use-format.ts";
import { useFocusOnMount } from "../ui/use-focus-on-mount.ts";
import type { ChosenSubject } from "./choose-subject.tsx";
import type { BlockingHold } from "./find-blocking-holds.ts";
import { useRequestErasure } from "./queries.ts";
import { SubjectLink } from "./subject-link.tsx";
import { useTexts } from "./texts.ts";

interface ErasePreviewProps {
  readonly subject: ChosenSubject;
  readonly what: ErasureTarget;
  readonly preview: ErasurePreviewBody & { readonly reasons: readonly BlockingHold[] };
  readonly onBack: () => void;
  readonly onRequested: (erasure: string) => void;
  readonly onClose: () => void;
}

/** Preview of an erasure, with confirmation. */
export function ErasePreview({ subject, what, preview, onBack, onRequested, onClose }: ErasePreviewProps) {
  const names = useNames(subject.kind === "agent" ? [subject.id] : []);
  const going = preview.calls - preview.held;
  const isNothing = going === 0 && (subject.kind !== "agent" || preview.held > 0);
  return (
    <Stack>
      <SubjectLine subject={subject} names={names} />
      <Counts preview={preview} names={names} />
      {preview.held > 0 && <Held preview={preview} names={names} />}
      {isNothing ? (
        <NothingToErase found={preview.calls > 0} onBack={onBack} onClose={onClose} />
      ) : (
        <ConfirmErase going={going} subject={subject} what={what} onBack={onBack} onRequested={onRequested} />
      )}
    </Stack>
  );
}

function SubjectLine({ subject, names }: { readonly subject: ChosenSubject; readonly names: Names }) {
  const { t } = useTexts();
  const { kind, id, key, value } = subject;
  const nothing = { call_id: null, agent_id: null, campaign_id: null };
  return (
    <Text fw={600} className="breakable">
      {kind === "metadata" && t("aboutMetadata", { key, value })}
      {kind === "agent" && <SubjectLink {...nothing} agent_id={id} names={names} />}
      {kind === "call" && <SubjectLink {...nothing} call_id={id} names={names} />}
    </Text>
  );
}

type Preview = ErasePreviewProps["preview"];

function Counts({ preview, names }: { readonly preview: Preview; readonly names: Names }) {
  const { t } = useTexts();
  const format = useFormat();
  const { calls, held, bytes, first_conversation: first, last_conversation: last, campaigns } = preview;
  const days = [first, last].filter((at) => at !== null).map((at) => format.date(at));
  const facts = [
    {
      title: t("willGo"),
      value: t("callsOfSize", { count: calls - held, number: format.number(calls - held), size: format.bytes(bytes) }),
    },
    { title: t("willStay"), value: format.number(held) },
    { title: t("period"), value: [...new Set(days)].join(" – ") || "–" },
  ];
  return (
    <Paper withBorder p="md">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        {facts.map(({ title, value }) => (
          <div key={title}>
            <Text size="sm" c="dimmed">
              {title}
            </Text>
            <Text fw={600} className="tabular">
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      {campaigns.length > 0 && (
        <Text size="sm" mt="sm">
          {t("inCampaigns")}{" "}
          {campaigns
            .map(
              ({ campaign_id, calls: count }) =>
                `${names.campaign(campaign_id) ?? campaign_id} (${format.number(count)})`,
            )
            .join(", ")}
        </Text>
      )}
    </Paper>
  );
}

/** Calls on hold, with the reasons. */
function Held({ preview: { held, reasons }, names }: { readonly preview: Preview; readonly names: Names }) {
  const { t } = useTexts();
  const { number } = useFormat();
  return (
    <Alert
      variant="light"
      color="blue"
      icon={<Icon name="lock" />}
      title={t("staysHeld", { count: held, number: number(held) })}
    >
      {reasons.length > 0 ? (
        <List size="sm" spacing={4}>
          {reasons.map(({ hold, calls }) => (
            <List.Item key={hold.id}>
              <Text span fw={600} inherit>
                {hold.reason}
              </Text>
              {": "}
              <SubjectLink {...hold} names={names} /> ({t("calls", { count: calls, number: number(calls) })})
            </List.Item>
          ))}
        </List>
      ) : (
        t("heldUnknown")
      )}
    </Alert>
  );
}

interface NothingProps {
  /** Whether there are calls, all on hold. */
  readonly found: boolean;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

function NothingToErase({ found, onBack, onClose }: NothingProps) {
  const { t } = useTexts();
  const ui = useUiTexts();
  const back = useFocusOnMount<HTMLButtonElement>();
  return (
    <>
      <Text>{found ? t("allHeld") : t("nothingFound")}</Text>
      <Group justify="space-between">
        <Button variant="default" leftSection={<Icon name="back" />} onClick={onBack} ref={back}>
          {t("back")}
        </Button>
        <Button onClick={onClose}>{ui.t("close")}</Button>
      </Group>
    </>
  );
}

interface ConfirmEraseProps extends Pick<ErasePreviewProps, "subject" | "what" | "onBack" | "onRequested"> {
  readonly going: number;
}

/** Requires typing the number of calls. */
function ConfirmErase({ going, subject, what, onBack, onRequested }: ConfirmEraseProps) {
  const { t } = useTexts();
  const request = useRequestErasure();
  const [typed, setTyped] = useState("");
  const field = useFocusOnMount<HTMLInputElement>();
  const isSure = typed.trim() === String(going);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSure && !request.isPending) request.mutate(what, { onSuccess: ({ id }) => onRequested(id) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Alert variant="light" color="red" icon={<Icon name="warning" />} title={t("irreversible")}>
          {subject.kind === "agent" ? t("irreversibleAgent") : t("irreversibleDetail")}
        </Alert>
        <TextInput
          label={t("typeNumber", { number: String(going) })}
          required
          inputMode="numeric"
          autoComplete="off"
          maxLength={12}
          ref={field}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {request.error && <Problem error={request.error} />}
        <Group justify="space-between">
          <Button variant="default" leftSection={<Icon name="back" />} onClick={onBack}>
            {t("back")}
          </Button>
          <Button type="submit" color="red" disabled={!isSure} loading={request.isPending}>
            {t("eraseNow")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
