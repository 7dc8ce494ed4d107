import type { SessionBody } from "@hearback/sdk";
import { Button, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Problem } from "../ui/problem.tsx";
import { tell } from "../ui/tell.tsx";
import { useFieldErrors } from "../ui/use-problem-text.ts";
import { PasswordField } from "./password-field.tsx";
import { useChangePassword } from "./queries.ts";

/** Another password, or the first one of somebody who signs in elsewhere. */
export function ChangePassword({ session }: { readonly session: SessionBody }) {
  const { t } = useTexts("access");
  const change = useChangePassword();
  const wrong = useFieldErrors(change.error);
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      { newPassword, ...(session.has_password && { currentPassword }) },
      {
        onSuccess() {
          setCurrent("");
          setNew("");
          tell(t("passwordChanged"));
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        {/* Password managers look for it: whose password it is. */}
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
