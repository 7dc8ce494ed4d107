import type { SessionBody } from "@hearback/sdk";
import { Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Problem } from "../../ui/feedback/problem.tsx";
import { toast } from "../../ui/feedback/toast.tsx";
import { useFieldErrors } from "../../ui/feedback/use-problem-text.ts";
import { ConfirmByProvider } from "../confirm-by-provider.tsx";
import { PasswordField } from "../password-field.tsx";
import { accessQueries, useChangePassword } from "../queries.ts";
import { useTexts } from "../texts.ts";

/** Changes the password, or sets the first one of a person who signs in through a provider. */
export function ChangePassword({ session }: { readonly session: SessionBody }) {
  const { t } = useTexts();
  const change = useChangePassword();
  const wrong = useFieldErrors(change.error);
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const { oidc } = useQuery(accessQueries.options).data ?? {};
  // Avoids a form that the server would refuse. The server checks this again.
  const confirmed = session.confirmed_until !== null && new Date(session.confirmed_until).getTime() > Date.now();
  if (!session.has_password && !confirmed && oidc) return <ConfirmByProvider name={oidc.name} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      { newPassword, ...(session.has_password && { currentPassword }) },
      {
        onSuccess() {
          setCurrent("");
          setNew("");
          toast(t("passwordChanged"));
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        {/* Password managers use this field to find the account. */}
        <input type="email" autoComplete="username" defaultValue={session.user.email} readOnly hidden />
        {session.has_password && (
          <PasswordField
            label={t("currentPassword")}
            value={currentPassword}
            onChange={setCurrent}
            error={wrong.current_password}
          />
        )}
        <PasswordField
          choosing
          label={t("newPassword")}
          value={newPassword}
          onChange={setNew}
          error={wrong.new_password}
        />
        {change.error && <Problem error={change.error} shownBeside={["current_password", "new_password"]} brief />}
        <Button type="submit" loading={change.isPending} w="fit-content">
          {session.has_password ? t("changePassword") : t("setPassword")}
        </Button>
      </Stack>
    </form>
  );
}
