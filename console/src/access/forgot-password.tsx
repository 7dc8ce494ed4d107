import { Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Problem } from "../ui/feedback/problem.tsx";
import { Page } from "../ui/page.tsx";
import { useForgotPassword } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface ForgotPasswordProps {
  /** Whether the server can send email. */
  readonly mail: boolean;
  readonly onBack: () => void;
}

/** Requests a password reset. The answer does not reveal whether the account exists. */
export function ForgotPassword({ mail, onBack }: ForgotPasswordProps) {
  const { t } = useTexts();
  const forgotten = useForgotPassword();
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
