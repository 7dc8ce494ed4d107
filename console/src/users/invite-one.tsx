import type { InvitationBody, Role } from "@hearback/sdk";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { NameField } from "../ui/form/name-field.tsx";
import { DeliveryMethodField } from "./delivery-method-field.tsx";
import { type DeliveryMethod, type Invite, useInvite } from "./queries.ts";
import { type Inviter, invitable, mayShareLink } from "./rights.ts";
import { RoleField } from "./role-field.tsx";
import { useTexts } from "./texts.ts";

interface InviteOneProps {
  readonly by: Inviter;
  /** Called with a link to share. */
  readonly onLink: (invitation: InvitationBody, name: string) => void;
  readonly onClose: () => void;
}

export function InviteOne({ by, onLink, onClose }: InviteOneProps) {
  const { t } = useTexts();
  const invite = useInvite(onLink);
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("agent");
  const methods: readonly DeliveryMethod[] = mayShareLink(by) ? ["mail", "link", "none"] : ["mail", "none"];
  const [delivery, setDelivery] = useState<DeliveryMethod>(by.mail ? "mail" : mayShareLink(by) ? "link" : "none");
  const submit = () => {
    const person: Invite = { email: email.trim(), name: name.trim(), role, delivery };
    invite.mutate(person, {
      onSuccess({ invitation }) {
        if (invitation) return;
        toast(t(delivery === "mail" ? "invitedByMail" : "added", { name: person.name }));
        onClose();
      },
    });
  };
  return (
    <DialogForm
      action={t(delivery === "none" ? "add" : "invite")}
      pending={invite.isPending}
      error={invite.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t("email")}
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <NameField label={t("name")} autoComplete="off" value={name} onChange={setName} />
      <RoleField roles={invitable(by.role)} value={role} onChange={setRole} />
      <DeliveryMethodField methods={methods} mail={by.mail} value={delivery} onChange={setDelivery} />
    </DialogForm>
  );
}
