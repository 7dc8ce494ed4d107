import { Radio, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogForm } from "../ui/dialog-form.tsx";
import { momentsOf, wallTime } from "../ui/zoned-time.ts";
import { AgentField, CampaignField } from "./fact-fields.tsx";
import type { Given, Knowing } from "./settle-row.ts";
import { settleRow } from "./settle-row.ts";
import type { Row } from "./upload-queue.ts";
import { uploads } from "./uploads.ts";
import { fromField, toField } from "./wall-field.ts";

interface SetFactsProps {
  /** Those that are asked about; none: nothing is asked. */
  readonly rows: readonly Row[];
  readonly knowing: Knowing;
  readonly onClose: () => void;
}

/** Asks for what is known of one file or of several. What is left open stays as it is. */
export function SetFacts({ rows, knowing, onClose }: SetFactsProps) {
  const { t } = useTexts("uploads");
  const title =
    rows.length === 1 ? t("setOne", { name: rows[0]?.item.file.name ?? "" }) : t("setSome", { count: rows.length });
  return (
    <Dialog opened={rows.length > 0} title={title} size="lg" onClose={onClose}>
      <FactsForm rows={rows} knowing={knowing} onClose={onClose} />
    </Dialog>
  );
}

type TimeChoice = "keep" | "name" | "file" | "given";

function FactsForm({ rows, knowing, onClose }: SetFactsProps) {
  const { t } = useTexts("uploads");
  const { known, choices } = knowing;
  const only = rows.length === 1 ? rows[0]?.item : undefined;
  const settled = only && settleRow(only, knowing);
  const [agentEmail, setAgent] = useState(settled?.agent?.email);
  const [campaignId, setCampaign] = useState(settled?.campaign?.id);
  const [time, setTime] = useState<TimeChoice>(only && !settled?.at ? "given" : "keep");
  const [field, setField] = useState(settled?.at ? toField(wallTime(settled.at, choices.zone)) : "");
  const wall = fromField(field);
  const moments = wall ? momentsOf(wall, choices.zone) : [];
  const inTime: Record<TimeChoice, Given | { at: undefined; fileTime: undefined }> = {
    keep: {},
    name: { at: undefined, fileTime: undefined },
    file: { fileTime: true },
    given: moments[0] ? { at: moments[0] } : {},
  };
  const submit = () => {
    // What was only read from the name stays so: another name or zone may say otherwise later.
    const said = {
      ...(agentEmail !== settled?.agent?.email && { agentEmail }),
      ...(campaignId !== settled?.campaign?.id && { campaignId }),
    };
    const cleared = time === "file" ? { at: undefined } : time === "given" ? { fileTime: undefined } : {};
    uploads.give(new Set(rows.map(({ item }) => item.id)), { ...said, ...cleared, ...inTime[time] });
    onClose();
  };
  const needsTime = time === "given" && wall !== undefined && moments.length === 0;
  return (
    <DialogForm action={t("set")} disabled={needsTime} onSubmit={submit} onClose={onClose}>
      {rows.length > 1 && <Text size="sm">{t("setSomeDetail")}</Text>}
      <CampaignField known={known} value={campaignId} onChange={setCampaign} placeholder={t("unchanged")} />
      <AgentField known={known} value={agentEmail} onChange={setAgent} placeholder={t("unchanged")} />
      <Radio.Group label={t("time")} value={time} onChange={(value) => setTime(value as TimeChoice)}>
        <Stack gap="xs" mt={4}>
          <Radio value="keep" label={t("timeKeep")} />
          <Radio value="name" label={t("timeName")} />
          <Radio value="file" label={t("timeFile")} />
          <Radio value="given" label={t("timeGiven")} />
        </Stack>
      </Radio.Group>
      {time === "given" && (
        <TextInput
          type="datetime-local"
          step={1}
          label={t("timeField", { zone: choices.zone })}
          value={field}
          required
          onChange={(event) => setField(event.currentTarget.value)}
          error={needsTime && t("missingTimeNever")}
          {...(moments.length > 1 && { description: t("timeFirst") })}
        />
      )}
    </DialogForm>
  );
}
