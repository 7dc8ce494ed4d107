import type { KeyBody } from "@hearback/sdk";
import { useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { NameField } from "../ui/form/name-field.tsx";
import { ExpiryField } from "./expiry-field.tsx";
import { useChangeKey } from "./queries.ts";
import { useTexts } from "./texts.ts";

/** Edits name and expiry. Permissions and campaigns are immutable. */
export function ChangeKey({ keyBody, onClose }: { readonly keyBody: KeyBody; readonly onClose: () => void }) {
  const { t } = useTexts();
  const change = useChangeKey();
  const [before] = useState(() => (keyBody.expires_at === null ? null : new Date(keyBody.expires_at)));
  const [name, setName] = useState(keyBody.name);
  const [end, setEnd] = useState<Date | null | undefined>(before);
  const submit = () =>
    change.mutate(
      // Send the expiry only if it was edited, to keep it exact to the second.
      {
        id: keyBody.id,
        ...(name.trim() !== keyBody.name && { name: name.trim() }),
        ...(end !== before && { expiresAt: end ?? null }),
      },
      {
        onSuccess() {
          toast(t("changed", { name: name.trim() }));
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
      <ExpiryField value={end ?? null} onChange={setEnd} />
    </DialogForm>
  );
}
