import type { WorkspaceBody } from "@hearback/sdk";
import { Alert, Button, Checkbox, Group, Stack, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Problem } from "../ui/feedback/problem.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { IntegerField } from "../ui/form/integer-field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Section } from "../ui/section.tsx";
import { useChangeWorkspace, workspaceQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { TranscriptionUsage } from "./transcription-usage.tsx";

interface Typed {
  readonly on?: boolean;
  readonly quota?: number | undefined;
  readonly phones?: boolean;
  readonly emails?: boolean;
  readonly words?: string;
  readonly months?: number | undefined;
}

const mostWords = 200;
const mostLetters = 100;

/** Rules for transcripts: on or off, quota, masking and search. */
export function TranscriptionSettings({ settings }: { readonly settings: WorkspaceBody["settings"] }) {
  const { t } = useTexts();
  const change = useChangeWorkspace();
  const usage = useQuery(workspaceQueries.transcriptionUsage);
  // Sends only edited fields, so that concurrent changes are kept.
  const [typed, setTyped] = useState<Typed>({});
  const now = {
    on: settings.transcription,
    quota: settings.transcription_minutes_per_day ?? undefined,
    phones: settings.mask_phone_numbers,
    emails: settings.mask_emails,
    words: settings.masked_words.join("\n"),
    months: settings.searchable_months ?? undefined,
  };
  const shown = { ...now, ...typed };
  const words = toWords(shown.words);
  const wordsProblem =
    words.length > mostWords
      ? t("maskedWordsTooMany", { most: mostWords })
      : words.some((word) => word.length > mostLetters) && t("maskedWordsTooLong", { most: mostLetters });
  const isSame = (Object.keys(now) as (keyof typeof now)[]).every((name) => shown[name] === now[name]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wordsProblem) return;
    change.mutate(
      {
        settings: {
          transcription: typed.on,
          transcriptionMinutesPerDay: "quota" in typed ? (typed.quota ?? null) : undefined,
          maskPhoneNumbers: typed.phones,
          maskEmails: typed.emails,
          maskedWords: typed.words === undefined ? undefined : words,
          searchableMonths: "months" in typed ? (typed.months ?? null) : undefined,
        },
      },
      {
        onSuccess() {
          setTyped({});
          toast(t("saved"));
        },
      },
    );
  };
  const checkbox = (name: "phones" | "emails", label: string) => (
    <Checkbox
      label={label}
      description={t("maskMoreDetail")}
      checked={shown[name]}
      onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.checked })}
    />
  );
  return (
    <Section title={t("transcription")} intro={t("transcriptionIntro")}>
      {usage.data?.available === false && (
        <Alert color="yellow" variant="light" icon={<Icon name="info" />} title={t("transcriptionNoEngine")}>
          {t("transcriptionNoEngineDetail")}
        </Alert>
      )}
      <form onSubmit={submit}>
        <Stack maw={480}>
          <Checkbox
            label={t("transcriptionOn")}
            description={t("transcriptionOnDetail")}
            // Refused without an engine. It can always be turned off.
            disabled={!now.on && usage.data?.available !== true}
            checked={shown.on}
            onChange={({ currentTarget }) => setTyped({ ...typed, on: currentTarget.checked })}
          />
          <IntegerField
            label={t("transcriptionQuota")}
            description={t("transcriptionQuotaDetail")}
            placeholder={t("transcriptionQuotaNone")}
            min={1}
            max={10_000_000}
            value={shown.quota}
            onChange={(quota) => setTyped({ ...typed, quota })}
          />
          {checkbox("phones", t("maskPhones"))}
          {checkbox("emails", t("maskEmails"))}
          <Textarea
            label={t("maskedWords")}
            description={t("maskedWordsDetail")}
            autosize
            minRows={2}
            maxRows={10}
            value={shown.words}
            error={wordsProblem}
            onChange={({ currentTarget }) => setTyped({ ...typed, words: currentTarget.value })}
          />
          <IntegerField
            label={t("searchableMonths")}
            description={t("searchableMonthsDetail")}
            placeholder={t("searchableMonthsNone")}
            min={1}
            max={600}
            value={shown.months}
            onChange={(months) => setTyped({ ...typed, months })}
          />
          {change.error && <Problem error={change.error} />}
          <Group>
            <Button type="submit" disabled={isSame} loading={change.isPending}>
              {t("save")}
            </Button>
          </Group>
        </Stack>
      </form>
      {usage.error && <Problem error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data && usage.data.days.length > 0 && <TranscriptionUsage usage={usage.data} />}
      {usage.data?.days.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("usageNone")}
        </Text>
      )}
    </Section>
  );
}

/** One per line, without duplicates. */
const toWords = (text: string): string[] => [
  ...new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];
