import type { UserBody } from "@hearback/sdk";
import { useTexts } from "../i18n/use-texts.ts";
import { Confirm } from "../ui/confirm.tsx";
import { tell } from "../ui/tell.tsx";
import { useChangeUser } from "./queries.ts";

interface DeactivateUserProps {
  /** undefined: nobody asks. */
  readonly user: UserBody | undefined;
  readonly onClose: () => void;
}

/** Deactivates somebody, or brings them back. */
export function DeactivateUser({ user, onClose }: DeactivateUserProps) {
  const { t } = useTexts("users");
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
          tell(t(gone ? "broughtBack" : "deactivated", { name }));
          close();
        },
      },
    );
  return (
    <Confirm
      opened={user !== undefined}
      title={t(gone ? "bringBackTitle" : "deactivateTitle", { name })}
      action={t(gone ? "bringBack" : "deactivate")}
      dangerous={!gone}
      pending={change.isPending}
      error={change.error}
      onConfirm={confirm}
      onClose={close}
    >
      {t(gone ? "bringBackDetail" : "deactivateDetail")}
    </Confirm>
  );
}
