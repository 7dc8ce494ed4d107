import type { UserBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { DialogForm } from "../ui/dialog-form.tsx";
import { NameField } from "../ui/name-field.tsx";
import { tell } from "../ui/tell.tsx";
import { useChangeUser } from "./queries.ts";
import { roles } from "./rights.ts";
import { RoleField } from "./role-field.tsx";

interface ChangeUserProps {
  readonly user: UserBody;
  /** Nobody takes away their own rights by mistake: another administrator does it. */
  readonly isOneself: boolean;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function ChangeUser({ user, isOneself, onChanged, onClose }: ChangeUserProps) {
  const { t } = useTexts("users");
  const change = useChangeUser();
  const [name, setName] = useState(user.name);
  const [role, setRole] = useState(user.role);
  const submit = () =>
    change.mutate(
      {
        id: user.id,
        ...(name.trim() !== user.name && { name: name.trim() }),
        ...(role !== user.role && { role }),
      },
      {
        onSuccess() {
          tell(t("changed", { name: name.trim() }));
          onChanged();
          onClose();
        },
      },
    );
  const note = isOneself ? t("roleOwn") : user.role === "agent" && role !== "agent" ? t("roleStillAgent") : undefined;
  return (
    <DialogForm action={t("save")} pending={change.isPending} error={change.error} onSubmit={submit} onClose={onClose}>
      <Text size="sm" c="dimmed">
        {user.email}
      </Text>
      <NameField label={t("name")} autoComplete="off" data-autofocus value={name} onChange={setName} />
      <RoleField
        roles={roles}
        value={role}
        onChange={setRole}
        disabled={isOneself}
        {...(note && { description: note })}
      />
    </DialogForm>
  );
}
