import type { KeyBody } from "@hearback/sdk";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { DialogForm } from "../ui/dialog-form.tsx";
import { NameField } from "../ui/name-field.tsx";
import { tell } from "../ui/tell.tsx";
import { EndField } from "./end-field.tsx";
import { useChangeKey } from "./queries.ts";

/** Name and end can change; what a key may do, and where, cannot. */
export function ChangeKey({ keyBody, onClose }: { readonly keyBody: KeyBody; readonly onClose: () => void }) {
  const { t } = useTexts("keys");
  const change = useChangeKey();
  const [before] = useState(() => (keyBody.expires_at === null ? null : new Date(keyBody.expires_at)));
  const [name, setName] = useState(keyBody.name);
  const [end, setEnd] = useState<Date | null | undefined>(before);
  const submit = () =>
    change.mutate(
      // An end that nobody touched stays to the second.
      {
        id: keyBody.id,
        ...(name.trim() !== keyBody.name && { name: name.trim() }),
        ...(end !== before && { expiresAt: end ?? null }),
      },
      {
        onSuccess() {
          tell(t("changed", { name: name.trim() }));
          onClose();
        },
      },
    );
  return (
    <DialogForm
      action={t("save")}
      pending={change.isPending}
      disabled={end === undefined}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameField label={t("name")} description={t("changeDetail")} data-autofocus value={name} onChange={setName} />
      <EndField value={end ?? null} onChange={setEnd} />
    </DialogForm>
  );
}
