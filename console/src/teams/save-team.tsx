import { ServiceError, type TeamBody } from "@hearback/sdk";
import { useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useProblemText } from "../ui/feedback/use-problem-text.ts";
import { NameField } from "../ui/form/name-field.tsx";
import { useSaveTeam } from "./queries.ts";
import { maxTeamName } from "./team-choice.ts";
import { useTexts } from "./texts.ts";

interface SaveTeamProps {
  /** Team to rename. Absent: a new one. */
  readonly team?: TeamBody;
  readonly onClose: () => void;
}

export function SaveTeam({ team, onClose }: SaveTeamProps) {
  const { t } = useTexts();
  const problemText = useProblemText();
  const save = useSaveTeam();
  const [name, setName] = useState(team?.name ?? "");
  const isTaken = save.error instanceof ServiceError && save.error.code === "team_exists";
  const submit = () =>
    save.mutate(
      { id: team?.id, name: name.trim() },
      {
        onSuccess() {
          toast(t(team ? "renamed" : "createdNamed", { name: name.trim() }));
          onClose();
        },
      },
    );
  return (
    <DialogForm
      action={t(team ? "save" : "create")}
      pending={save.isPending}
      error={isTaken ? undefined : save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameField
        label={t("name")}
        maxLength={maxTeamName}
        data-autofocus
        error={isTaken && problemText(save.error)}
        errorProps={{ role: "alert" }}
        value={name}
        onChange={setName}
      />
    </DialogForm>
  );
}
