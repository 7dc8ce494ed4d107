import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { SearchableSelect } from "../ui/form/searchable-select.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { callPageQueries, useAddToCalibration } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface AddToCalibrationProps {
  readonly callId: string;
  readonly onClose: () => void;
}

/** Adds the call to an open calibration session, or leads to a new one. */
export function AddToCalibration({ callId, onClose }: AddToCalibrationProps) {
  const { t } = useTexts();
  const { data: sessions, error } = useQuery(callPageQueries.openCalibrations);
  const [chosen, setChosen] = useState<string | null>(null);
  const add = useAddToCalibration(callId, ({ name }) => {
    toast(t("addedToCalibration", { name }));
    onClose();
  });
  const id = chosen ?? sessions?.[0]?.id ?? null;
  return (
    <DialogForm
      action={t("addToSession")}
      disabled={id === null}
      pending={add.isPending}
      error={add.error ?? error}
      onSubmit={() => id && add.mutate(id)}
      onClose={onClose}
    >
      {!sessions ? (
        !error && <Skeleton height={60} />
      ) : sessions.length === 0 ? (
        <Text>{t("noCalibrations")}</Text>
      ) : (
        <SearchableSelect
          label={t("calibration")}
          data-autofocus
          data={sessions.map((session) => ({ value: session.id, label: session.name }))}
          value={id}
          onChange={setChosen}
        />
      )}
      <TextLink to="/calibrations/new" search={{ call: callId }}>
        {t("newCalibration")}
      </TextLink>
    </DialogForm>
  );
}
