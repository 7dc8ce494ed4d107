import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { onceClient } from "../../client.ts";
import { DialogForm } from "../../ui/dialog/dialog-form.tsx";
import { Problem } from "../../ui/feedback/problem.tsx";
import { useFieldErrors } from "../../ui/feedback/use-problem-text.ts";
import { CopyField } from "../../ui/form/copy-field.tsx";
import { LoadingRows } from "../../ui/table/loading-rows.tsx";
import { CodeField } from "./code-field.tsx";
import { QrCode } from "./qr-code.tsx";
import { useFactorChange } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface SetUpAppProps {
  readonly onAdded: (recoveryCodes: readonly string[] | null) => void;
  readonly onClose: () => void;
}

/** Shows the TOTP secret and asks for the first code. */
export function SetUpApp({ onAdded, onClose }: SetUpAppProps) {
  const { t } = useTexts();
  const begun = useQuery({
    // Never refetched: every request creates a new secret.
    queryKey: ["totp-secret"],
    queryFn: () => onceClient.twoStep.beginTotp(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const confirm = useFactorChange((code: string) => onceClient.twoStep.confirmTotp(code));
  const wrong = useFieldErrors(confirm.error);
  const [code, setCode] = useState("");
  if (begun.error) return <Problem error={begun.error} onRetry={() => void begun.refetch()} />;
  if (!begun.data) return <LoadingRows rows={4} height={60} />;
  return (
    <DialogForm
      action={t("confirm")}
      pending={confirm.isPending}
      error={confirm.error && !wrong.code ? confirm.error : undefined}
      onSubmit={() => confirm.mutate(code, { onSuccess: ({ recovery_codes }) => onAdded(recovery_codes) })}
      onClose={onClose}
    >
      <div>
        <Text fw={600}>{t("scan")}</Text>
        <Text size="sm" c="dimmed">
          {t("scanDetail")}
        </Text>
      </div>
      <Stack align="center">
        <QrCode text={begun.data.uri} label={t("scan")} />
      </Stack>
      <CopyField label={t("secret")} value={begun.data.secret.replace(/(.{4})(?=.)/g, "$1 ")} />
      <CodeField value={code} onChange={setCode} error={wrong.code && t("wrong")} data-autofocus />
    </DialogForm>
  );
}
