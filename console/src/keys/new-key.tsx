import type { NewKeyBody, Scope } from "@hearback/sdk";
import { useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { NameField } from "../ui/form/name-field.tsx";
import { type CampaignChoice, CampaignsField } from "./campaigns-field.tsx";
import { ExpiryField } from "./expiry-field.tsx";
import { useCreateKey } from "./queries.ts";
import { ScopesField } from "./scopes-field.tsx";
import { useTexts } from "./texts.ts";

interface NewKeyProps {
  readonly campaigns: readonly CampaignChoice[];
  readonly onCreated: (key: NewKeyBody) => void;
  readonly onClose: () => void;
}

export function NewKey({ campaigns, onCreated, onClose }: NewKeyProps) {
  const { t } = useTexts();
  const create = useCreateKey(onCreated);
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<Scope[]>(["import"]);
  const [campaignIds, setCampaignIds] = useState<readonly string[] | null>(null);
  const [end, setEnd] = useState<Date | null | undefined>(null);
  const submit = () => create.mutate({ name: name.trim(), scopes, campaignIds, expiresAt: end ?? null });
  const unfinished = scopes.length === 0 || campaignIds?.length === 0 || end === undefined;
  return (
    <DialogForm
      action={t("create")}
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
      <ExpiryField value={end ?? null} onChange={setEnd} />
    </DialogForm>
  );
}
