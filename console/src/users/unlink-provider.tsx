import type { UserBody } from "@hearback/sdk";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useUnlinkProvider } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface UnlinkProviderProps {
  /** undefined: the dialog is closed. */
  readonly user: UserBody | undefined;
  readonly onClose: () => void;
}

/** Unlinks the account at the identity provider, for a person with a new account there. */
export function UnlinkProvider({ user, onClose }: UnlinkProviderProps) {
  const { t } = useTexts();
  const unlink = useUnlinkProvider();
  const { id = "", name = "" } = user ?? {};
  const close = () => {
    unlink.reset();
    onClose();
  };
  const confirm = () =>
    unlink.mutate(id, {
      onSuccess() {
        toast(t("unlinked", { name }));
        close();
      },
    });
  return (
    <Confirm
      opened={user !== undefined}
      title={t("unlinkTitle", { name })}
      action={t("unlink")}
      dangerous
      pending={unlink.isPending}
      error={unlink.error}
      onConfirm={confirm}
      onClose={close}
    >
      {t("unlinkDetail")}
    </Confirm>
  );
}
