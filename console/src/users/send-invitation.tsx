import type { InvitationBody, UserBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { DialogForm } from "../ui/dialog-form.tsx";
import { tell } from "../ui/tell.tsx";
import { useSendInvitation, type Way } from "./queries.ts";
import { type Inviter, mayHandOver } from "./rights.ts";
import { WayField } from "./way-field.tsx";

interface SendInvitationProps {
  readonly user: UserBody;
  readonly by: Inviter;
  /** There is a link to hand over. */
  readonly onLink: (invitation: InvitationBody) => void;
  readonly onClose: () => void;
}

/** A new invitation for somebody who is there already; the links of before end. */
export function SendInvitation({ user, by, onLink, onClose }: SendInvitationProps) {
  const { t } = useTexts("users");
  const send = useSendInvitation(onLink);
  const ways: readonly Way[] = mayHandOver(by) ? ["mail", "link"] : ["mail"];
  const [way, setWay] = useState<Way>(by.mail || !mayHandOver(by) ? "mail" : "link");
  const nobodyCan = !by.mail && !mayHandOver(by);
  const [notSent, setNotSent] = useState(false);
  const submit = () =>
    send.mutate(
      { user, byMail: way === "mail" },
      {
        onSuccess(invitation) {
          if (invitation.link) return;
          if (invitation.invitation === "not_configured") return setNotSent(true);
          tell(t("invitedByMail", { name: user.name }));
          onClose();
        },
      },
    );
  return (
    <DialogForm
      action={t(way === "link" ? "makeLink" : "send")}
      pending={send.isPending}
      disabled={nobodyCan || notSent}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">{t("sendDetail", { name: user.name, email: user.email })}</Text>
      <WayField ways={ways} mail={by.mail} value={way} onChange={setWay} />
      {(nobodyCan || notSent) && (
        <Text size="sm" role="status">
          {t("sendNoWay")}
        </Text>
      )}
    </DialogForm>
  );
}
