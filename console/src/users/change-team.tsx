import type { UserBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useState } from "react";
import type { TeamChoice } from "../teams/team-choice.ts";
import { TeamField } from "../teams/team-field.tsx";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useChangeUser } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface ChangeTeamProps {
  readonly user: UserBody;
  readonly onClose: () => void;
}

/** For supervisors, who change nothing else about a person. */
export function ChangeTeam({ user, onClose }: ChangeTeamProps) {
  const { t } = useTexts();
  const change = useChangeUser();
  const [team, setTeam] = useState<TeamChoice>(user.team_id ?? null);
  const submit = () =>
    change.mutate(
      { id: user.id, team },
      {
        onSuccess() {
          toast(t("changed", { name: user.name }));
          onClose();
        },
      },
    );
  return (
    <DialogForm action={t("save")} pending={change.isPending} error={change.error} onSubmit={submit} onClose={onClose}>
      <div>
        <Text fw={600}>{user.name}</Text>
        <Text size="sm" c="dimmed">
          {user.email}
        </Text>
      </div>
      <TeamField first value={team} onChange={setTeam} />
    </DialogForm>
  );
}
