import type { TwoStepRule as Rule } from "@hearback/sdk";
import { Button, Radio, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client } from "../../client.ts";
import { Problem } from "../../ui/feedback/problem.tsx";
import { toast } from "../../ui/feedback/toast.tsx";
import { useMutationWithInvalidate } from "../../ui/form/use-mutation-with-invalidate.ts";
import { Section } from "../../ui/section.tsx";
import { accessQueries } from "../queries.ts";
import { twoStepQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

/** Two-step requirement of the workspace, with the number of affected people. */
export function TwoStepRule({ rule }: { readonly rule: Rule }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const counts = useQuery(twoStepQueries.counts).data;
  const [chosen, setChosen] = useState<Rule>();
  const save = useMutationWithInvalidate(
    ["workspace"],
    (twoStep: Rule) => client.workspace.change({ settings: { twoStep } }),
    () => {
      setChosen(undefined);
      toast(t("ruleSaved"));
      // The new rule may apply to the current user.
      void queries.invalidateQueries({ queryKey: accessQueries.session.queryKey, exact: true });
    },
  );
  const value = chosen ?? rule;
  const affected = value === "optional" ? undefined : counts?.[value];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(value);
  };
  return (
    <Section title={t("rule")}>
      <form onSubmit={submit}>
        <Stack>
          <Radio.Group
            label={t("ruleWho")}
            description={t("ruleDetail")}
            value={value}
            onChange={(next) => setChosen(next as Rule)}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="optional" label={t("ruleOptional")} />
              <Radio value="admins" label={t("ruleAdmins")} />
              <Radio value="all" label={t("ruleAll")} />
            </Stack>
          </Radio.Group>
          <Text size="sm" aria-live="polite">
            {affected === undefined ? "" : affected === 0 ? t("ruleNobody") : t("ruleCount", { count: affected })}
          </Text>
          {save.error && <Problem error={save.error} />}
          <Button type="submit" w="fit-content" disabled={value === rule} loading={save.isPending}>
            {t("saveRule")}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
