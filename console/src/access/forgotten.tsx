import { Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Page } from "../ui/page.tsx";
import { Problem } from "../ui/problem.tsx";
import { useForgotten } from "./queries.ts";

interface ForgottenProps {
  /** Whether this installation sends mail. */
  readonly mail: boolean;
  readonly onBack: () => void;
}

/** For somebody who does not know the password any more. Whether there is such a person is not said. */
export function Forgotten({ mail, onBack }: ForgottenProps) {
  const { t } = useTexts("access");
  const forgotten = useForgotten();
  const [email, setEmail] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    forgotten.mutate(email.trim());
  };
  const back = (
    <Anchor component="button" type="button" size="sm" onClick={onBack}>
      {t("backToSignIn")}
    </Anchor>
  );
  if (!mail || forgotten.isSuccess) {
    return (
      <Page title={forgotten.isSuccess ? t("forgottenSent") : t("forgottenTitle")}>
        <Text role="status">{t(forgotten.isSuccess ? "forgottenSentDetail" : "forgottenAsk")}</Text>
        {back}
      </Page>
    );
  }
  return (
    <Page title={t("forgottenTitle")} intro={t("forgottenIntro")}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t("email")}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {forgotten.error && <Problem error={forgotten.error} brief />}
          <Button type="submit" size="md" fullWidth loading={forgotten.isPending}>
            {t("forgottenSend")}
          </Button>
        </Stack>
      </form>
      {back}
    </Page>
  );
}
