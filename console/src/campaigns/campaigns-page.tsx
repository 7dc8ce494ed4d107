import type { CampaignBody } from "@hearback/sdk";
import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../access/queries.ts";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { ArchiveCampaign } from "./archive-campaign.tsx";
import { CampaignTable, type Shown } from "./campaign-table.tsx";
import { ChangeCampaign } from "./change-campaign.tsx";
import { NewCampaign } from "./new-campaign.tsx";
import { useTexts } from "./texts.ts";

type Doing = { readonly what: "change" | "archive"; readonly campaign: CampaignBody };

export function CampaignsPage() {
  const { t } = useTexts();
  const { user } = useSession();
  const { choice, change } = useSearchParams();
  const [creating, setCreating] = useState(false);
  const [doing, setDoing] = useState<Doing>();
  const done = () => setDoing(undefined);
  const shown: Shown = choice("show", ["archived", "all"]) ?? "open";
  const createButton = (
    <Button onClick={() => setCreating(true)} leftSection={<Icon name="plus" />}>
      {t("createCampaign")}
    </Button>
  );
  return (
    <Page title={t("title")} intro={t("intro")} actions={createButton}>
      <SegmentedControl
        aria-label={t("show")}
        style={{ alignSelf: "flex-start" }}
        value={shown}
        onChange={(value) => change({ show: value === "open" ? undefined : value })}
        data={[
          { value: "open", label: t("showOpen") },
          { value: "archived", label: t("showArchived") },
          { value: "all", label: t("showAll") },
        ]}
      />
      <CampaignTable
        shown={shown}
        onChange={(campaign) => setDoing({ what: "change", campaign })}
        onArchive={(campaign) => setDoing({ what: "archive", campaign })}
      />
      <Dialog opened={creating} title={t("createCampaign")} onClose={() => setCreating(false)}>
        <NewCampaign onClose={() => setCreating(false)} />
      </Dialog>
      <Dialog opened={doing?.what === "change"} title={t("changeTitle")} onClose={done}>
        {doing && (
          <ChangeCampaign campaign={doing.campaign} mayChangeRetention={user.role === "admin"} onClose={done} />
        )}
      </Dialog>
      <ArchiveCampaign campaign={doing?.what === "archive" ? doing.campaign : undefined} onClose={done} />
    </Page>
  );
}
