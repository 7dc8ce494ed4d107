import { type LinkBody, ServiceError } from "@hearback/sdk";
import { Button, Stack, TextInput, type TextInputProps } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Page } from "../ui/page.tsx";
import { Problem } from "../ui/problem.tsx";
import { useFieldErrors } from "../ui/use-problem-text.ts";
import { PasswordField } from "./password-field.tsx";
import { useUseLink } from "./queries.ts";

interface WelcomeFormProps {
  readonly link: LinkBody;
  readonly token: string;
  /** What to show if the link ended while the form was filled in. */
  readonly ended: ReactNode;
  readonly onDone: () => void;
}

const beside = ["workspace_name", "name", "email", "password"];

/** What is needed to make a workspace, to accept an invitation, or to have a new password. */
export function WelcomeForm({ link, token, ended, onDone }: WelcomeFormProps) {
  const { t } = useTexts("access");
  const { kind } = link;
  const using = useUseLink();
  const wrong = useFieldErrors(using.error);
  const [fields, setFields] = useState({ workspaceName: "", name: link.name ?? "", email: link.email ?? "" });
  const [password, setPassword] = useState("");
  if (using.error instanceof ServiceError && using.error.code === "link_ended") return ended;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { workspaceName, name, email } = fields;
    const told = { setup: { workspaceName, name, email: email.trim() }, invitation: { name }, reset: {} }[kind];
    using.mutate({ token, password, ...told }, { onSuccess: onDone });
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
          {kind !== "reset" && <TextInput label={t("name")} autoComplete="name" {...field("name", "name")} />}
          <TextInput
            label={t("email")}
            type="email"
            autoComplete="username"
            {...field("email", "email")}
            maxLength={254}
            readOnly={kind !== "setup"}
            {...(kind !== "setup" && { variant: "filled" })}
          />
          <PasswordField
            choosing
            label={kind === "reset" ? t("newPassword") : t("password")}
            value={password}
            onChange={setPassword}
            error={wrong.password}
          />
          {using.error && <Problem error={using.error} shownBeside={beside} brief />}
          <Button type="submit" size="md" fullWidth loading={using.isPending}>
            {t(`${kind}Submit`)}
          </Button>
        </Stack>
      </form>
    </Page>
  );
}
