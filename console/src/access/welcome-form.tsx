import { type LinkBody, ServiceError } from "@hearback/sdk";
import { Button, Stack, TextInput, type TextInputProps } from "@mantine/core";
import { type FormEvent, type ReactNode, Suspense, useState } from "react";
import { PageLoading } from "../ui/feedback/page-loading.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { useFieldErrors } from "../ui/feedback/use-problem-text.ts";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { Page } from "../ui/page.tsx";
import { PasswordField } from "./password-field.tsx";
import { useRedeemLink } from "./queries.ts";
import { secondStepOf } from "./sign-in-form.tsx";
import { useTexts } from "./texts.ts";

const SecondStep = lazyComponent(async () => (await import("./two-step/second-step.tsx")).SecondStep);
const signInAddress = `${import.meta.env.BASE_URL}sign-in`;

interface WelcomeFormProps {
  readonly link: LinkBody;
  readonly token: string;
  /** Shown if the link expires while the form is open. */
  readonly ended: ReactNode;
  readonly onDone: () => void;
}

const beside = ["workspace_name", "name", "email", "password"];

/** Form for all link kinds: setup, invitation, password reset and sign-in. */
export function WelcomeForm({ link, token, ended, onDone }: WelcomeFormProps) {
  const { t } = useTexts();
  const { kind } = link;
  const using = useRedeemLink();
  const wrong = useFieldErrors(using.error);
  const [fields, setFields] = useState({ workspaceName: "", name: link.name ?? "", email: link.email ?? "" });
  const [password, setPassword] = useState("");
  if (using.error instanceof ServiceError && using.error.code === "link_ended") return ended;
  const methods = secondStepOf(using.error);
  if (methods) {
    return (
      <Suspense fallback={<PageLoading />}>
        <SecondStep methods={methods} onSignedIn={onDone} onBack={() => window.location.assign(signInAddress)} />
      </Suspense>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { workspaceName, name, email } = fields;
    const forKind = { setup: { workspaceName, name, email: email.trim() }, invitation: { name } };
    const input = kind === "sign_in" ? {} : { password, ...(kind !== "reset" && forKind[kind]) };
    using.mutate({ token, ...input }, { onSuccess: onDone });
  };
  const field = (name: keyof typeof fields, part: string): TextInputProps => ({
    required: true,
    withAsterisk: false,
    maxLength: 200,
    value: fields[name],
    onChange: ({ currentTarget: { value } }) => setFields((before) => ({ ...before, [name]: value })),
    error: wrong[part],
  });
  const heading = {
    setup: { title: t("setupTitle"), intro: t("setupIntro") },
    invitation: {
      title: t("invitationTitle", { workspace: link.workspace_name ?? "Hearback" }),
      intro: t("invitationIntro"),
    },
    sign_in: {
      title: t("linkSignInTitle", { workspace: link.workspace_name ?? "Hearback" }),
      intro: t("linkSignInIntro"),
    },
    reset: { title: t("resetTitle"), intro: t("resetIntro", { workspace: link.workspace_name ?? "Hearback" }) },
  }[kind];
  return (
    <Page {...heading}>
      <form onSubmit={submit}>
        <Stack>
          {kind === "setup" && (
            <TextInput
              label={t("workspaceName")}
              description={t("workspaceNameDetail")}
              autoComplete="organization"
              {...field("workspaceName", "workspace_name")}
            />
          )}
          {kind !== "reset" && kind !== "sign_in" && (
            <TextInput label={t("name")} autoComplete="name" {...field("name", "name")} />
          )}
          <TextInput
            label={t("email")}
            type="email"
            autoComplete="username"
            {...field("email", "email")}
            maxLength={254}
            readOnly={kind !== "setup"}
            {...(kind !== "setup" && { variant: "filled" })}
          />
          {kind !== "sign_in" && (
            <PasswordField
              choosing
              label={kind === "reset" ? t("newPassword") : t("password")}
              value={password}
              onChange={setPassword}
              error={wrong.password}
            />
          )}
          {using.error && <Problem error={using.error} shownBeside={beside} brief />}
          <Button type="submit" size="md" fullWidth loading={using.isPending}>
            {kind === "sign_in" ? t("signIn") : t(`${kind}Submit`)}
          </Button>
        </Stack>
      </form>
    </Page>
  );
}
