import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { DialogForm } from "../../ui/dialog/dialog-form.tsx";
import { useAddPasskey } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { TwoStepProblem } from "./two-step-problem.tsx";

interface NewPasskeyProps {
  readonly onAdded: (recoveryCodes: readonly string[] | null) => void;
  readonly onClose: () => void;
}

export function NewPasskey({ onAdded, onClose }: NewPasskeyProps) {
  const { t } = useTexts();
  const add = useAddPasskey();
  const [name, setName] = useState("");
  return (
    <DialogForm
      action={t("addPasskey")}
      pending={add.isPending}
      onSubmit={() => add.mutate(name.trim(), { onSuccess: ({ recovery_codes }) => onAdded(recovery_codes) })}
      onClose={onClose}
    >
      <Text>{t("passkeyDetail")}</Text>
      <TextInput
        label={t("passkeyName")}
        description={t("passkeyNameDetail")}
        required
        withAsterisk={false}
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {add.error && <TwoStepProblem error={add.error} />}
    </DialogForm>
  );
}
