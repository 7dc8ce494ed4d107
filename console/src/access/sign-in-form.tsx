import { ServiceError } from "@hearback/sdk";
import { Alert, Anchor, Button, Divider, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, Suspense, useEffect, useRef, useState } from "react";
import { PageLoading } from "../ui/feedback/page-loading.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { Page } from "../ui/page.tsx";
import { clock } from "../ui/time/use-format.ts";
import { oidcUrl } from "./oidc.ts";
import { PasswordField } from "./password-field.tsx";
import { useSignIn } from "./queries.ts";
import { SignInNotice } from "./sign-in-notice.tsx";
import { useTexts } from "./texts.ts";
import { useCountdown } from "./use-countdown.ts";
import { type Choice, toChoices, WorkspaceChoice } from "./workspace-choice.tsx";

// Lazy: not needed for the first paint.
const SecondStep = lazyComponent(async () => (await import("./two-step/second-step.tsx")).SecondStep);
const PasskeySignIn = lazyComponent(async () => (await import("./two-step/passkey-sign-in.tsx")).PasskeySignIn);

interface SignInFormProps {
  readonly oidc: { readonly name: string } | null;
  readonly passkeys: boolean;
  /** Error code that sent the person here. */
  readonly failed: string | undefined;
  readonly next: string | undefined;
  readonly onForgotten: () => void;
  readonly onSignedIn: () => void;
}

export function SignInForm({ oidc, passkeys, failed, next, onForgotten, onSignedIn }: SignInFormProps) {
  const { t } = useTexts();
  const signIn = useSignIn();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [until, setUntil] = useState<number>();
  // Kept while the person chooses a workspace.
  const [workspaces, setWorkspaces] = useState<readonly Choice[]>();
  const [methods, setMethods] = useState<readonly string[]>();
  const wait = useCountdown(until);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const go = (workspaceId?: string) =>
    signIn.mutate(
      { email: email.trim(), password, workspaceId },
      {
        onSuccess: onSignedIn,
        onError(error) {
          setUntil(throttledUntil(error));
          setWorkspaces(workspacesOf(error));
          setMethods(secondStepOf(error));
        },
      },
    );
  const back = () => {
    signIn.reset();
    setWorkspaces(undefined);
    setMethods(undefined);
    setPassword("");
  };
  if (methods) {
    return (
      <Suspense fallback={<PageLoading />}>
        <SecondStep methods={methods} onSignedIn={onSignedIn} onBack={back} />
      </Suspense>
    );
  }
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
        {failed && !signIn.error && <SignInNotice code={failed} />}
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
            {wait > 0 ? <ThrottleCountdown seconds={wait} /> : signIn.error && <Problem error={signIn.error} brief />}
            <Button type="submit" size="md" fullWidth loading={signIn.isPending} disabled={wait > 0}>
              {t("signIn")}
            </Button>
          </Stack>
        </form>
        <Anchor component="button" type="button" size="sm" onClick={onForgotten}>
          {t("forgotten")}
        </Anchor>
        {(oidc || passkeys) && <Divider label={t("or")} />}
        {oidc && (
          <Button
            variant="default"
            size="md"
            fullWidth
            leftSection={<Icon name="lock" />}
            onClick={() => window.location.assign(oidcUrl({ next }))}
          >
            {t("signInWith", { name: oidc.name })}
          </Button>
        )}
        {passkeys && (
          <Suspense>
            <PasskeySignIn onSignedIn={onSignedIn} />
          </Suspense>
        )}
      </Stack>
    </Page>
  );
}

/** Countdown while sign-in is throttled. Announced once to screen readers. */
function ThrottleCountdown({ seconds }: { readonly seconds: number }) {
  const { t } = useTexts();
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

function throttledUntil(error: unknown): number | undefined {
  if (!(error instanceof ServiceError) || error.status !== 429) return undefined;
  return Date.now() + (error.retryAfterMs ?? 1000);
}

/** Methods for the second step, if the server asks for one. */
export function secondStepOf(error: unknown): readonly string[] | undefined {
  if (!(error instanceof ServiceError) || error.code !== "second_step_needed") return undefined;
  const methods = error.problem?.methods;
  return Array.isArray(methods) ? methods.map(String) : [];
}

function workspacesOf(error: unknown) {
  if (!(error instanceof ServiceError) || error.code !== "workspace_ambiguous") return undefined;
  return toChoices(error.problem?.workspaces);
}
