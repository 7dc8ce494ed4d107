import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { Icon } from "../ui/icon.tsx";
import { useTexts as useUiTexts } from "../ui/texts.ts";
import { fromFieldTime, toFieldTime } from "../ui/time/field-time.ts";
import { useFormat } from "../ui/time/use-format.ts";
import { useFocusOnMount } from "../ui/use-focus-on-mount.ts";
import { useReplaySince } from "./queries.ts";
import { useTexts } from "./texts.ts";

const hour = 3_600_000;
const spans = [
  { text: "lastHour", ms: hour },
  { text: "lastDay", ms: 24 * hour },
  { text: "lastWeek", ms: 7 * 24 * hour },
] as const;

interface ReplaySinceProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function ReplaySince({ id, onClose }: ReplaySinceProps) {
  const { t } = useTexts();
  const { zone, number } = useFormat();
  const [queued, setQueued] = useState(0);
  const [since, setSince] = useState(() => toFieldTime(new Date(Date.now() - 24 * hour), zone));
  const replay = useReplaySince(id, setQueued);
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);
  const from = fromFieldTime(since, zone);
  const submit = () => {
    stopping.current = new AbortController();
    if (from) replay.mutate({ from, signal: stopping.current.signal });
  };

  if (replay.isSuccess) return <Replayed count={replay.data} onClose={onClose} />;
  return (
    <DialogForm
      action={t("replayNow")}
      pending={replay.isPending}
      error={replay.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text>{t("replaySinceDetail")}</Text>
      <TextInput
        type="datetime-local"
        label={t("since")}
        description={t("sinceDetail", { zone })}
        required
        data-autofocus
        max={toFieldTime(new Date(), zone)}
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
      />
      <Group gap="xs">
        {spans.map(({ text, ms }) => (
          <Button
            key={text}
            size="compact-sm"
            variant="default"
            onClick={() => setSince(toFieldTime(new Date(Date.now() - ms), zone))}
          >
            {t(text)}
          </Button>
        ))}
      </Group>
      {replay.isPending && (
        <Text role="status" size="sm">
          {t("replaying", { number: number(queued) })}
        </Text>
      )}
    </DialogForm>
  );
}

function Replayed({ count, onClose }: { readonly count: number; readonly onClose: () => void }) {
  const { t } = useTexts();
  const ui = useUiTexts();
  const { number } = useFormat();
  const close = useFocusOnMount<HTMLButtonElement>();
  return (
    <Stack>
      <Group gap="sm" wrap="nowrap" role="status">
        <Icon name="check" />
        <Text>{count === 0 ? t("replayedNone") : t("replayedSome", { count, number: number(count) })}</Text>
      </Group>
      <Group justify="flex-end">
        <Button onClick={onClose} ref={close}>
          {ui.t("close")}
        </Button>
      </Group>
    </Stack>
  );
}
