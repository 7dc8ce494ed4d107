import type { ScorecardDetailBody } from "@hearback/sdk";
import { MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { campaignQueries } from "../campaigns/queries.ts";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { scorecardQueries, useChangeScorecard } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface AssignScorecardProps {
  readonly scorecard: ScorecardDetailBody;
  readonly onClose: () => void;
}

/** Campaigns that a scorecard is for, and who decides disputes. Takes effect at once, without a new version. */
export function AssignScorecard({ scorecard, onClose }: AssignScorecardProps) {
  const { t } = useTexts();
  const change = useChangeScorecard(scorecard.id);
  const { data: campaigns = [] } = useQuery(campaignQueries.choices);
  const { data: staff = [] } = useQuery(scorecardQueries.staff);
  const [campaignIds, setCampaignIds] = useState<string[]>(scorecard.campaign_ids);
  const [arbiterIds, setArbiterIds] = useState<string[]>(scorecard.arbiter_ids ?? []);
  const people = staff.filter(({ id, status }) => status !== "deactivated" || arbiterIds.includes(id));
  const submit = () =>
    change.mutate(
      { campaignIds, arbiterIds },
      {
        onSuccess() {
          toast(t("assigned"));
          onClose();
        },
      },
    );
  return (
    <DialogForm action={t("save")} pending={change.isPending} error={change.error} onSubmit={submit} onClose={onClose}>
      <MultiSelect
        label={t("campaigns")}
        description={t("campaignsDetail")}
        placeholder={campaignIds.length === 0 ? t("campaignsAll") : ""}
        searchable
        clearable
        hidePickedOptions
        maxValues={100}
        nothingFoundMessage={t("nothingFound")}
        value={campaignIds}
        onChange={setCampaignIds}
        data={campaigns.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
        data-autofocus
      />
      <MultiSelect
        label={t("arbiters")}
        description={t("arbitersDetail")}
        placeholder={arbiterIds.length === 0 ? t("arbitersAll") : ""}
        searchable
        clearable
        hidePickedOptions
        maxValues={50}
        nothingFoundMessage={t("nothingFound")}
        value={arbiterIds}
        onChange={setArbiterIds}
        data={people.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
      />
    </DialogForm>
  );
}
