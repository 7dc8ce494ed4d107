import type { InvitationBody } from "@hearback/sdk";
import { Button, Group, Stack, Text } from "@mantine/core";
import { CopyField } from "../ui/form/copy-field.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { useTexts } from "./texts.ts";

interface InvitationLinkProps {
  readonly name: string;
  readonly invitation: InvitationBody;
  readonly onClose: () => void;
}

/** Shows the invitation link. */
export function InvitationLink({ name, invitation, onClose }: InvitationLinkProps) {
  const { t } = useTexts();
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
