import type { SessionBody } from "@hearback/sdk";
import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Problem } from "../../ui/feedback/problem.tsx";
import { useFieldErrors } from "../../ui/feedback/use-problem-text.ts";
import { ConfirmByProvider } from "../confirm-by-provider.tsx";
import { PasswordField } from "../password-field.tsx";
import { accessQueries } from "../queries.ts";
import { useConfirmPassword } from "./queries.ts";
import { useTexts } from "./texts.ts";

const isConfirmed = ({ confirmed_until: until }: SessionBody) =>
  until !== null && new Date(until).getTime() > Date.now() + 5000;

/** Shows its children if the session was recently confirmed, otherwise asks for the password or the provider. */
export function Confirmed({ session, children }: { readonly session: SessionBody; readonly children: ReactNode }) {
  const oidc = useQuery(accessQueries.options).data?.oidc;
  if (isConfirmed(session)) return children;
  if (!(session.has_password && session.password_sign_in) && oidc) return <ConfirmByProvider name={oidc.name} />;
  return <ConfirmPassword session={session} />;
}

function ConfirmPassword({ session }: { readonly session: SessionBody }) {
  const { t } = useTexts();
  const confirm = useConfirmPassword();
  const wrong = useFieldErrors(confirm.error);
  const [password, setPassword] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(password);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <Text size="sm">{t("confirmDetail")}</Text>
        <input type="email" autoComplete="username" defaultValue={session.user.email} readOnly hidden />
        <PasswordField label={t("yourPassword")} value={password} onChange={setPassword} error={wrong.password} />
        {confirm.error && <Problem error={confirm.error} shownBeside={["password"]} brief />}
        <Button type="submit" variant="default" w="fit-content" loading={confirm.isPending}>
          {t("confirm")}
        </Button>
      </Stack>
    </form>
  );
}
