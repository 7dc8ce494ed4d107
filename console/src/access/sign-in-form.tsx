import { ServiceError } from "@hearback/sdk";
import { Alert, Anchor, Button, Divider, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { Problem } from "../ui/problem.tsx";
import { clock } from "../ui/use-format.ts";
import { FailedBefore } from "./failed-before.tsx";
import { oidcAddress } from "./oidc.ts";
import { PasswordField } from "./password-field.tsx";
import { useSignIn } from "./queries.ts";
import { useCountdown } from "./use-countdown.ts";
import { type Choice, toChoices, WorkspaceChoice } from "./workspace-choice.tsx";

interface SignInFormProps {
  readonly oidc: { readonly name: string } | null;
  /** Why somebody was sent here, if not by their own wish. */
  readonly failed: string | undefined;
  readonly next: string | undefined;
  readonly onForgotten: () => void;
  readonly onSignedIn: () => void;
}

export function SignInForm({ oidc, failed, next, onForgotten, onSignedIn }: SignInFormProps) {
  const { t } = useTexts("access");
  const signIn = useSignIn();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [until, setUntil] = useState<number>();
  // Kept while one of them is being chosen.
  const [workspaces, setWorkspaces] = useState<readonly Choice[]>();
  const wait = useCountdown(until);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const go = (workspaceId?: string) =>
    signIn.mutate(
      { email: email.trim(), password, workspaceId },
      {
        onSuccess: onSignedIn,
        onError(error) {
          setUntil(untilOf(error));
          setWorkspaces(ambiguousAmong(error));
        },
      },
    );
  const back = () => {
    signIn.reset();
    setWorkspaces(undefined);
  };
  if (workspaces) {
    return <WorkspaceChoice workspaces={workspaces} pending={signIn.isPending} onChoose={go} onBack={back} />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wait === 0) go();
  };
  return (
    <Page title={t("signInTitle")}>
      <Stack>
        {failed && !signIn.error && <FailedBefore code={failed} />}
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              ref={first}
              label={t("email")}
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              maxLength={254}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <PasswordField label={t("password")} value={password} onChange={setPassword} />
            {wait > 0 ? <Wait seconds={wait} /> : signIn.error && <Problem error={signIn.error} brief />}
            <Button type="submit" size="md" fullWidth loading={signIn.isPending} disabled={wait > 0}>
              {t("signIn")}
            </Button>
          </Stack>
        </form>
        <Anchor component="button" type="button" size="sm" onClick={onForgotten}>
          {t("forgotten")}
        </Anchor>
        {oidc && (
          <>
            <Divider label={t("or")} />
            <Button
              variant="default"
              size="md"
              fullWidth
              leftSection={<Icon name="lock" />}
              onClick={() => window.location.assign(oidcAddress({ next }))}
            >
              {t("signInWith", { name: oidc.name })}
            </Button>
          </>
        )}
      </Stack>
    </Page>
  );
}

/** The service asks to wait; how long is seen going by, and said once. */
function Wait({ seconds }: { readonly seconds: number }) {
  const { t } = useTexts("access");
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="clock" />}>
      <Text size="sm" role="alert">
        {t("limited")}
      </Text>
      <Text size="sm" fw={600} className="tabular" role="timer">
        {t("limitedFor", { time: clock(seconds * 1000) })}
      </Text>
    </Alert>
  );
}

function untilOf(error: unknown): number | undefined {
  if (!(error instanceof ServiceError) || error.status !== 429) return undefined;
  return Date.now() + (error.retryAfterMs ?? 1000);
}

function ambiguousAmong(error: unknown) {
  if (!(error instanceof ServiceError) || error.code !== "workspace_ambiguous") return undefined;
  return toChoices(error.problem?.workspaces);
}
