import type { InvitationBody } from "@hearback/sdk";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { CopyField } from "../ui/copy-field.tsx";
import { useFormat } from "../ui/use-format.ts";

interface InvitationLinkProps {
  readonly name: string;
  readonly invitation: InvitationBody;
  readonly onClose: () => void;
}

/** The link by which somebody chooses a password, to be handed over. */
export function InvitationLink({ name, invitation, onClose }: InvitationLinkProps) {
  const { t } = useTexts("users");
  const { dateTime } = useFormat();
  const until = invitation.expires_at && t("linkUntil", { date: dateTime(invitation.expires_at) });
  return (
    <Stack>
      <Text size="sm">{t("linkDetail", { name })}</Text>
      <CopyField label={t("link")} value={invitation.link ?? ""} first {...(until && { description: until })} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t("done")}</Button>
      </Group>
    </Stack>
  );
}
