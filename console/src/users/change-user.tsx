import type { UserBody } from "@hearback/sdk";
import { Checkbox, Text } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../access/queries.ts";
import type { TeamChoice } from "../teams/team-choice.ts";
import { TeamField } from "../teams/team-field.tsx";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { NameField } from "../ui/form/name-field.tsx";
import { useChangeUser } from "./queries.ts";
import { roles } from "./rights.ts";
import { RoleField } from "./role-field.tsx";
import { useTexts } from "./texts.ts";

interface ChangeUserProps {
  readonly user: UserBody;
  /** Administrators cannot change their own role. */
  readonly isOneself: boolean;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function ChangeUser({ user, isOneself, onChanged, onClose }: ChangeUserProps) {
  const { t } = useTexts();
  const { user: session } = useSession();
  const change = useChangeUser();
  const [name, setName] = useState(user.name);
  const [role, setRole] = useState(user.role);
  const teamBefore = user.team_id ?? null;
  const [team, setTeam] = useState<TeamChoice>(teamBefore);
  const hearsBefore = user.listens_to_originals ?? false;
  const [hears, setHears] = useState(hearsBefore);
  const submit = () =>
    change.mutate(
      {
        id: user.id,
        ...(name.trim() !== user.name && { name: name.trim() }),
        ...(role !== user.role && { role }),
        ...(team !== teamBefore && { team }),
        ...(hears !== hearsBefore && { listensToOriginals: hears }),
      },
      {
        onSuccess() {
          toast(t("changed", { name: name.trim() }));
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
      <TeamField value={team} onChange={setTeam} />
      <RoleField
        roles={roles}
        value={role}
        onChange={setRole}
        disabled={isOneself}
        {...(note && { description: note })}
      />
      {session.role === "admin" && (
        <Checkbox
          label={t("listensToOriginals")}
          description={t("listensToOriginalsDetail")}
          checked={hears}
          onChange={({ currentTarget }) => setHears(currentTarget.checked)}
        />
      )}
    </DialogForm>
  );
}
