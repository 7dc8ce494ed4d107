import type { DrawBody } from "@hearback/sdk";
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Fact } from "../ui/fact.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { Section } from "../ui/section.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { Hash } from "./hash.tsx";
import { usePeriodText } from "./period-text.ts";
import classes from "./plans.module.css";
import { useSetNonce } from "./queries.ts";
import { useTexts } from "./texts.ts";

/** The period that is running: what was published before it, and the nonce. */
export function CurrentDraw({ draw }: { readonly draw: DrawBody }) {
  const { t } = useTexts();
  const periodText = usePeriodText();
  return (
    <Section title={t("currentPeriod", { period: periodText(draw.period) })} intro={t("currentIntro")}>
      <dl className={classes.facts}>
        <Fact title={t("drawnAt")}>
          <Timestamp at={draw.closes_at} />
        </Fact>
        <Fact title={t("state")}>{t(`draw_${draw.state}`)}</Fact>
      </dl>
      <div>
        <Text size="sm" c="dimmed">
          {t("commitment")}
        </Text>
        <Hash value={draw.commitment} copy />
        <Text size="sm" c="dimmed" mt={4}>
          {t("commitmentDetail")}
        </Text>
      </div>
      {draw.state === "committed" && <NonceForm key={draw.id} draw={draw} />}
    </Section>
  );
}

function NonceForm({ draw }: { readonly draw: DrawBody }) {
  const { t } = useTexts();
  const [nonce, setNonce] = useState(draw.nonce);
  const save = useSetNonce(draw.id, () => toast(t("nonceSaved")));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate(nonce.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Group gap="sm" align="flex-end">
          <TextInput
            label={t("nonce")}
            description={t("nonceDetail")}
            placeholder="4 8 15 16 23 42"
            maxLength={200}
            flex="1 1 260px"
            maw={520}
            value={nonce}
            onChange={({ currentTarget }) => setNonce(currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={save.isPending} disabled={nonce.trim() === draw.nonce}>
            {t("setNonce")}
          </Button>
        </Group>
        {save.error && <Problem error={save.error} />}
      </Stack>
    </form>
  );
}
