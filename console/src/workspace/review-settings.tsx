import type { WorkspaceBody } from "@hearback/sdk";
import { Button, Checkbox, Group, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Problem } from "../ui/feedback/problem.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { IntegerField } from "../ui/form/integer-field.tsx";
import { useChangeWorkspace } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface Typed {
  readonly pick?: boolean;
  readonly days?: number | undefined;
  readonly months?: number | undefined;
}

/** Rules for reviews and disputes. */
export function ReviewSettings({ settings }: { readonly settings: WorkspaceBody["settings"] }) {
  const { t } = useTexts();
  const change = useChangeWorkspace();
  // Sends only edited fields, so that concurrent changes are kept.
  const [typed, setTyped] = useState<Typed>({});
  const now = {
    pick: settings.reviewers_pick_calls,
    days: settings.dispute_due_days,
    months: settings.review_retention_months ?? undefined,
  };
  const { pick, days, months } = { ...now, ...typed };
  const isSame = pick === now.pick && days === now.days && months === now.months;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      {
        settings: {
          reviewersPickCalls: typed.pick,
          disputeDueDays: typed.days,
          reviewRetentionMonths: "months" in typed ? (typed.months ?? null) : undefined,
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
  return (
    <form onSubmit={submit}>
      <Stack maw={480}>
        <Checkbox
          label={t("pickCalls")}
          description={t("pickCallsDetail")}
          checked={pick}
          onChange={({ currentTarget }) => setTyped({ ...typed, pick: currentTarget.checked })}
        />
        <IntegerField
          label={t("disputeDays")}
          description={t("disputeDaysDetail")}
          required
          min={1}
          max={90}
          value={days}
          onChange={(value) => setTyped({ ...typed, days: value })}
        />
        <IntegerField
          label={t("reviewRetention")}
          description={t("reviewRetentionDetail")}
          placeholder={t("reviewRetentionNone")}
          min={1}
          max={600}
          value={months}
          onChange={(value) => setTyped({ ...typed, months: value })}
        />
        {change.error && <Problem error={change.error} />}
        <Group>
          <Button type="submit" disabled={isSame} loading={change.isPending}>
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
