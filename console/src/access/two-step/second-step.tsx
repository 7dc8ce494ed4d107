import { ServiceError } from "@hearback/sdk";
import { Anchor, Button, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Page } from "../../ui/page.tsx";
import { CodeField } from "./code-field.tsx";
import { PasskeySignIn } from "./passkey-sign-in.tsx";
import { useSecondStep } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { TwoStepProblem } from "./two-step-problem.tsx";

interface SecondStepProps {
  /** Methods the user can choose from. */
  readonly methods: readonly string[];
  readonly onSignedIn: () => void;
  readonly onBack: () => void;
}

/** Second step of the sign-in: authenticator code, passkey or recovery code. */
export function SecondStep({ methods, onSignedIn, onBack }: SecondStepProps) {
  const { t } = useTexts();
  const finish = useSecondStep();
  const hasApp = methods.includes("totp");
  const [recovery, setRecovery] = useState(!hasApp);
  const [code, setCode] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    finish.mutate(recovery ? { recoveryCode: code } : { code }, { onSuccess: onSignedIn, onError: () => setCode("") });
  };
  const other = () => {
    finish.reset();
    setCode("");
    setRecovery(!recovery);
  };
  const expired = finish.error instanceof ServiceError && finish.error.code === "second_step_expired";
  return (
    <Page title={t("secondStepTitle")} intro={hasApp ? t("secondStepDetail") : t("secondStepPasskeyDetail")}>
      <Stack>
        {methods.includes("passkey") && <PasskeySignIn onSignedIn={onSignedIn} />}
        <form onSubmit={submit}>
          <Stack>
            <CodeField key={String(recovery)} recovery={recovery} value={code} onChange={setCode} />
            {finish.error && <TwoStepProblem error={finish.error} />}
            <Button type="submit" size="md" fullWidth loading={finish.isPending} disabled={expired}>
              {t("signIn")}
            </Button>
          </Stack>
        </form>
        {hasApp && methods.includes("recovery_code") && (
          <Anchor component="button" type="button" size="sm" onClick={other}>
            {recovery ? t("useCode") : t("useRecovery")}
          </Anchor>
        )}
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t("startOver")}
        </Anchor>
      </Stack>
    </Page>
  );
}
