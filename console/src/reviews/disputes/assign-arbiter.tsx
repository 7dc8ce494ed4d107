import type { DisputeBody } from "@hearback/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DialogForm } from "../../ui/dialog/dialog-form.tsx";
import { toast } from "../../ui/feedback/toast.tsx";
import { SearchableSelect } from "../../ui/form/searchable-select.tsx";
import { nameQueries } from "../people/names.ts";
import { useAssignDispute } from "../queries.ts";
import { useTexts } from "../texts.ts";

interface AssignArbiterProps {
  readonly dispute: DisputeBody;
  /** Users who decided before. */
  readonly earlier?: readonly string[];
  readonly onClose: () => void;
}

/** Gives the dispute to a user who has neither written the review nor decided before. */
export function AssignArbiter({ dispute, earlier = [], onClose }: AssignArbiterProps) {
  const { t } = useTexts();
  const { data: staff = [] } = useQuery(nameQueries.staff);
  const [chosen, setChosen] = useState(dispute.arbiter_id);
  const excluded = [dispute.reviewer.id, dispute.agent_id, ...earlier];
  const people = staff.filter(({ id, status }) => status !== "deactivated" && !excluded.includes(id));
  const assign = useAssignDispute(dispute.id, () => {
    toast(t("assignedToast", { name: people.find(({ id }) => id === chosen)?.name ?? "" }));
    onClose();
  });
  return (
    <DialogForm
      action={t("assign")}
      disabled={!chosen || chosen === dispute.arbiter_id}
      pending={assign.isPending}
      error={assign.error}
      onSubmit={() => chosen && assign.mutate(chosen)}
      onClose={onClose}
    >
      <SearchableSelect
        label={t("arbiter")}
        description={t("arbiterDetail")}
        data-autofocus
        nothingFoundMessage={t("nobodyFound")}
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={setChosen}
      />
    </DialogForm>
  );
}
