import type { NewKeyBody, Scope } from "@hearback/sdk";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { DialogForm } from "../ui/dialog-form.tsx";
import { NameField } from "../ui/name-field.tsx";
import { type CampaignChoice, CampaignsField } from "./campaigns-field.tsx";
import { EndField } from "./end-field.tsx";
import { useCreateKey } from "./queries.ts";
import { ScopesField } from "./scopes-field.tsx";

interface NewKeyProps {
  readonly campaigns: readonly CampaignChoice[];
  readonly onMade: (key: NewKeyBody) => void;
  readonly onClose: () => void;
}

export function NewKey({ campaigns, onMade, onClose }: NewKeyProps) {
  const { t } = useTexts("keys");
  const create = useCreateKey(onMade);
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<Scope[]>(["import"]);
  const [campaignIds, setCampaignIds] = useState<readonly string[] | null>(null);
  const [end, setEnd] = useState<Date | null | undefined>(null);
  const submit = () => create.mutate({ name: name.trim(), scopes, campaignIds, expiresAt: end ?? null });
  const unfinished = scopes.length === 0 || campaignIds?.length === 0 || end === undefined;
  return (
    <DialogForm
      action={t("make")}
      pending={create.isPending}
      disabled={unfinished}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameField
        label={t("name")}
        description={t("nameDetail")}
        placeholder={t("namePlaceholder")}
        data-autofocus
        value={name}
        onChange={setName}
      />
      <ScopesField value={scopes} onChange={setScopes} />
      <CampaignsField campaigns={campaigns} value={campaignIds} onChange={setCampaignIds} />
      <EndField value={end ?? null} onChange={setEnd} />
    </DialogForm>
  );
}
