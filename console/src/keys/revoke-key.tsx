import type { KeyBody } from "@hearback/sdk";
import { Stack, Text } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { Confirm } from "../ui/confirm.tsx";
import { tell } from "../ui/tell.tsx";
import { useFormat } from "../ui/use-format.ts";
import { useRevokeKey } from "./queries.ts";

interface RevokeKeyProps {
  /** undefined: nobody asks. */
  readonly keyBody: KeyBody | undefined;
  readonly onClose: () => void;
}

export function RevokeKey({ keyBody, onClose }: RevokeKeyProps) {
  const { t } = useTexts("keys");
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
        tell(t("revoked", { name }));
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
