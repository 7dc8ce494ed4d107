import type { CampaignBody } from "@hearback/sdk";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useChangeCampaign } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface ArchiveCampaignProps {
  /** undefined: closed. */
  readonly campaign: CampaignBody | undefined;
  readonly onClose: () => void;
}

/** Archives or reactivates a campaign. */
export function ArchiveCampaign({ campaign, onClose }: ArchiveCampaignProps) {
  const { t } = useTexts();
  const change = useChangeCampaign();
  const { id = "", name = "", archived = false } = campaign ?? {};
  const close = () => {
    change.reset();
    onClose();
  };
  const confirm = () =>
    change.mutate(
      { id, archived: !archived },
      {
        onSuccess() {
          toast(t(archived ? "reactivated" : "isArchived", { name }));
          close();
        },
      },
    );
  return (
    <Confirm
      opened={campaign !== undefined}
      title={t(archived ? "reactivateTitle" : "archiveTitle", { name })}
      action={t(archived ? "reactivate" : "archive")}
      pending={change.isPending}
      error={change.error}
      onConfirm={confirm}
      onClose={close}
    >
      {t(archived ? "reactivateDetail" : "archiveDetail")}
    </Confirm>
  );
}
