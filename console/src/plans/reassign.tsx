import { type AssignmentBody, ServiceError } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useReassign } from "../queue/queries.ts";
import { nameQueries } from "../reviews/people/names.ts";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { SearchableSelect } from "../ui/form/searchable-select.tsx";
import { useTexts } from "./texts.ts";

interface ReassignProps {
  readonly assignment: AssignmentBody;
  readonly onClose: () => void;
}

/** Gives a drawn call to another person. */
export function Reassign({ assignment, onClose }: ReassignProps) {
  const { t } = useTexts();
  const { data: staff = [] } = useQuery(nameQueries.staff);
  const [chosen, setChosen] = useState(assignment.reviewer_id);
  const people = staff.filter(({ id, status }) => status !== "deactivated" && id !== assignment.agent_id);
  const reassign = useReassign(assignment.id, () => {
    toast(t("reassigned", { name: people.find(({ id }) => id === chosen)?.name ?? "" }));
    onClose();
  });
  const isComplete = reassign.error instanceof ServiceError && reassign.error.code === "draft_complete";
  return (
    <DialogForm
      action={t(isComplete ? "reassignDiscard" : "reassign")}
      dangerous={isComplete}
      disabled={!chosen || chosen === assignment.reviewer_id}
      pending={reassign.isPending}
      error={reassign.error}
      onSubmit={() => chosen && reassign.mutate({ reviewerId: chosen, discardDraft: isComplete })}
      onClose={onClose}
    >
      <SearchableSelect
        label={t("reviewer")}
        data-autofocus
        placeholder={t("choosePerson")}
        nothingFoundMessage={t("nobodyFound")}
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={setChosen}
      />
      {assignment.review_id !== null && (
        <Text size="sm" c="dimmed">
          {t("reassignDraft")}
        </Text>
      )}
    </DialogForm>
  );
}
