import type { KeyBody } from "@hearback/sdk";
import { Stack, Text } from "@mantine/core";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { useRevokeKey } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface RevokeKeyProps {
  /** undefined: closed. */
  readonly keyBody: KeyBody | undefined;
  readonly onClose: () => void;
}

export function RevokeKey({ keyBody, onClose }: RevokeKeyProps) {
  const { t } = useTexts();
  const { dateTime } = useFormat();
  const revoke = useRevokeKey();
  const { id = "", name = "", last_used_at = null } = keyBody ?? {};
  const close = () => {
    revoke.reset();
    onClose();
  };
  const confirm = () =>
    revoke.mutate(id, {
      onSuccess() {
        toast(t("revoked", { name }));
        close();
      },
    });
  return (
    <Confirm
      opened={keyBody !== undefined}
      title={t("revokeTitle", { name })}
      action={t("revoke")}
      dangerous
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={confirm}
      onClose={close}
    >
      <Stack gap="sm">
        <Text fw={600}>{last_used_at ? t("usedLast", { date: dateTime(last_used_at) }) : t("usedNever")}</Text>
        <Text>{t("revokeDetail")}</Text>
      </Stack>
    </Confirm>
  );
}
