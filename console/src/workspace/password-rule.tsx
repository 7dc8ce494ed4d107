import { Stack, Switch, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { accessQueries } from "../access/queries.ts";
import { client } from "../client.ts";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useMutationWithInvalidate } from "../ui/form/use-mutation-with-invalidate.ts";
import { Section } from "../ui/section.tsx";
import { useTexts } from "./texts.ts";

/** Turns password sign-in on or off, if there is an identity provider. */
export function PasswordRule({ on }: { readonly on: boolean }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const provider = useQuery(accessQueries.options).data?.oidc?.name;
  const [asking, setAsking] = useState(false);
  const save = useMutationWithInvalidate(
    ["workspace"],
    (passwordSignIn: boolean) => client.workspace.change({ settings: { passwordSignIn } }),
    () => {
      setAsking(false);
      toast(t("saved"));
      // The current session may have ended.
      void queries.invalidateQueries({ queryKey: accessQueries.session.queryKey, exact: true });
    },
  );
  // Without a provider, passwords can only be turned on.
  if (!provider && on) return null;
  const toggle = () => {
    save.reset();
    if (on) setAsking(true);
    else save.mutate(true);
  };
  const name = provider ?? t("passwordsProvider");
  return (
    <Section title={t("passwords")}>
      <Stack>
        <Switch
          label={t("passwordsOn")}
          description={t("passwordsDetail", { provider: name })}
          checked={on}
          disabled={save.isPending}
          onChange={toggle}
        />
        {save.error && !asking && <Problem error={save.error} />}
      </Stack>
      <Confirm
        opened={asking}
        title={t("passwordsOffTitle")}
        action={t("passwordsOff")}
        dangerous
        pending={save.isPending}
        error={save.error}
        onConfirm={() => save.mutate(false)}
        onClose={() => setAsking(false)}
      >
        <Text>{t("passwordsOffWho", { provider: name })}</Text>
        <Text mt="sm">{t("passwordsOffSessions", { provider: name })}</Text>
      </Confirm>
    </Section>
  );
}
