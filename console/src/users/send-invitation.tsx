import type { InvitationBody, UserBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { DeliveryMethodField } from "./delivery-method-field.tsx";
import { type DeliveryMethod, useSendInvitation } from "./queries.ts";
import { type Inviter, mayShareLink } from "./rights.ts";
import { useTexts } from "./texts.ts";

interface SendInvitationProps {
  readonly user: UserBody;
  readonly by: Inviter;
  /** Called with a link to share. */
  readonly onLink: (invitation: InvitationBody) => void;
  readonly onClose: () => void;
}

/** Sends a new invitation. Earlier links stop working. */
export function SendInvitation({ user, by, onLink, onClose }: SendInvitationProps) {
  const { t } = useTexts();
  const send = useSendInvitation(onLink);
  const methods: readonly DeliveryMethod[] = mayShareLink(by) ? ["mail", "link"] : ["mail"];
  const [delivery, setDelivery] = useState<DeliveryMethod>(by.mail || !mayShareLink(by) ? "mail" : "link");
  const nobodyCan = !by.mail && !mayShareLink(by);
  const [notSent, setNotSent] = useState(false);
  const submit = () =>
    send.mutate(
      { user, byMail: delivery === "mail" },
      {
        onSuccess(invitation) {
          if (invitation.link) return;
          if (invitation.invitation === "not_configured") return setNotSent(true);
          toast(t("invitedByMail", { name: user.name }));
          onClose();
        },
      },
    );
  return (
    <DialogForm
      action={t(delivery === "link" ? "createLink" : "send")}
      pending={send.isPending}
      disabled={nobodyCan || notSent}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">{t("sendDetail", { name: user.name, email: user.email })}</Text>
      <DeliveryMethodField methods={methods} mail={by.mail} value={delivery} onChange={setDelivery} />
      {(nobodyCan || notSent) && (
        <Text size="sm" role="status">
          {t("sendUnavailable")}
        </Text>
      )}
    </DialogForm>
  );
}
