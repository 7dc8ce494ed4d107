import type { TeamBody } from "@hearback/sdk";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useDeleteTeam } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface DeleteTeamProps {
  /** undefined: closed. */
  readonly team: TeamBody | undefined;
  readonly onClose: () => void;
}

export function DeleteTeam({ team, onClose }: DeleteTeamProps) {
  const { t } = useTexts();
  const remove = useDeleteTeam();
  const { id = "", name = "", members: count = 0 } = team ?? {};
  const close = () => {
    remove.reset();
    onClose();
  };
  const confirm = () =>
    remove.mutate(id, {
      onSuccess() {
        toast(t("deleted", { name }));
        close();
      },
    });
  return (
    <Confirm
      opened={team !== undefined}
      title={t("deleteTitle", { name })}
      action={t("deleteTeam")}
      dangerous
      pending={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={close}
    >
      {count === 0 ? t("deleteEmpty") : t("deleteDetail", { count })}
    </Confirm>
  );
}
