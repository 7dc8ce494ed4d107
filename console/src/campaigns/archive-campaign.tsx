import type { CampaignBody } from "@hearback/sdk";
import { useTexts } from "../i18n/use-texts.ts";
import { Confirm } from "../ui/confirm.tsx";
import { tell } from "../ui/tell.tsx";
import { useChangeCampaign } from "./queries.ts";

interface ArchiveCampaignProps {
  /** undefined: nobody asks. */
  readonly campaign: CampaignBody | undefined;
  readonly onClose: () => void;
}

/** Archives a campaign, or brings it back. */
export function ArchiveCampaign({ campaign, onClose }: ArchiveCampaignProps) {
  const { t } = useTexts("campaigns");
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
          tell(t(archived ? "broughtBack" : "isArchived", { name }));
          close();
        },
      },
    );
  return (
    <Confirm
      opened={campaign !== undefined}
      title={t(archived ? "bringBackTitle" : "archiveTitle", { name })}
      action={t(archived ? "bringBack" : "archive")}
      pending={change.isPending}
      error={change.error}
      onConfirm={confirm}
      onClose={close}
    >
      {t(archived ? "bringBackDetail" : "archiveDetail")}
    </Confirm>
  );
}
