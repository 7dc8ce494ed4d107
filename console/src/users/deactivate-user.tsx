import type { UserBody } from "@hearback/sdk";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useChangeUser } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface DeactivateUserProps {
  /** undefined: closed. */
  readonly user: UserBody | undefined;
  readonly onClose: () => void;
}

/** Deactivates or reactivates a user. */
export function DeactivateUser({ user, onClose }: DeactivateUserProps) {
  const { t } = useTexts();
  const change = useChangeUser();
  const { id = "", name = "" } = user ?? {};
  const gone = user?.status === "deactivated";
  const close = () => {
    change.reset();
    onClose();
  };
  const confirm = () =>
    change.mutate(
      { id, deactivated: !gone },
      {
        onSuccess() {
          toast(t(gone ? "reactivated" : "deactivated", { name }));
          close();
        },
      },
    );
  return (
    <Confirm
      opened={user !== undefined}
      title={t(gone ? "reactivateTitle" : "deactivateTitle", { name })}
      action={t(gone ? "reactivate" : "deactivate")}
      dangerous={!gone}
      pending={change.isPending}
      error={change.error}
      onConfirm={confirm}
      onClose={close}
    >
      {t(gone ? "reactivateDetail" : "deactivateDetail")}
    </Confirm>
  );
}
