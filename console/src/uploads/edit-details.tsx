import { Radio, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { instantsOf, wallTime } from "../ui/time/zoned-time.ts";
import { AgentField, CampaignField } from "./detail-fields.tsx";
import { fromField, toField } from "./local-time-field.ts";
import type { Overrides, ResolveContext } from "./queue/resolve-row.ts";
import { resolveRow } from "./queue/resolve-row.ts";
import type { Row } from "./queue/rows.ts";
import { uploads } from "./queue/uploads.ts";
import { useTexts } from "./texts.ts";

interface EditDetailsProps {
  /** Files to edit. Empty: closed. */
  readonly rows: readonly Row[];
  readonly context: ResolveContext;
  readonly onClose: () => void;
}

/** Edits one or several files. Empty fields stay unchanged. */
export function EditDetails({ rows, context, onClose }: EditDetailsProps) {
  const { t } = useTexts();
  const title =
    rows.length === 1 ? t("editOne", { name: rows[0]?.item.file.name ?? "" }) : t("editSome", { count: rows.length });
  return (
    <Dialog opened={rows.length > 0} title={title} size="lg" onClose={onClose}>
      <DetailsForm rows={rows} context={context} onClose={onClose} />
    </Dialog>
  );
}

type TimeChoice = "keep" | "name" | "file" | "given";

function DetailsForm({ rows, context, onClose }: EditDetailsProps) {
  const { t } = useTexts();
  const { known, defaults } = context;
  const only = rows.length === 1 ? rows[0]?.item : undefined;
  const resolved = only && resolveRow(only, context);
  const [agentEmail, setAgent] = useState(resolved?.agent?.email);
  const [campaignId, setCampaign] = useState(resolved?.campaign?.id);
  const [phone, setPhone] = useState(resolved?.phone ?? "");
  const [time, setTime] = useState<TimeChoice>(only && !resolved?.at ? "given" : "keep");
  const [field, setField] = useState(resolved?.at ? toField(wallTime(resolved.at, defaults.zone)) : "");
  const wall = fromField(field);
  const moments = wall ? instantsOf(wall, defaults.zone) : [];
  const inTime: Record<TimeChoice, Overrides | { at: undefined; fileTime: undefined }> = {
    keep: {},
    name: { at: undefined, fileTime: undefined },
    file: { fileTime: true },
    given: moments[0] ? { at: moments[0] } : {},
  };
  const submit = () => {
    // Unchanged values stay derived from the name, so that later changes of defaults apply.
    const said = {
      ...(agentEmail !== resolved?.agent?.email && { agentEmail }),
      ...(campaignId !== resolved?.campaign?.id && { campaignId }),
      ...(only && phone.trim() !== (resolved?.phone ?? "") && { phone: phone.trim() }),
    };
    const cleared = time === "file" ? { at: undefined } : time === "given" ? { fileTime: undefined } : {};
    uploads.setOverrides(new Set(rows.map(({ item }) => item.id)), { ...said, ...cleared, ...inTime[time] });
    onClose();
  };
  const needsTime = time === "given" && wall !== undefined && moments.length === 0;
  return (
    <DialogForm action={t("set")} disabled={needsTime} onSubmit={submit} onClose={onClose}>
      {rows.length > 1 && <Text size="sm">{t("editSomeDetail")}</Text>}
      <CampaignField known={known} value={campaignId} onChange={setCampaign} placeholder={t("unchanged")} />
      <AgentField known={known} value={agentEmail} onChange={setAgent} placeholder={t("unchanged")} />
      {only && (
        <TextInput
          type="tel"
          label={t("phone")}
          description={t("phoneDetail")}
          maxLength={50}
          value={phone}
          onChange={(event) => setPhone(event.currentTarget.value)}
        />
      )}
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
          label={t("timeField", { zone: defaults.zone })}
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
