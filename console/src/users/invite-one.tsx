import type { InvitationBody, Role } from "@hearback/sdk";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { DialogForm } from "../ui/dialog-form.tsx";
import { NameField } from "../ui/name-field.tsx";
import { tell } from "../ui/tell.tsx";
import { type Invite, useInvite, type Way } from "./queries.ts";
import { type Inviter, invitable, mayHandOver } from "./rights.ts";
import { RoleField } from "./role-field.tsx";
import { WayField } from "./way-field.tsx";

interface InviteOneProps {
  readonly by: Inviter;
  /** There is a link to hand over. */
  readonly onLink: (invitation: InvitationBody, name: string) => void;
  readonly onClose: () => void;
}

export function InviteOne({ by, onLink, onClose }: InviteOneProps) {
  const { t } = useTexts("users");
  const invite = useInvite(onLink);
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("agent");
  const ways: readonly Way[] = mayHandOver(by) ? ["mail", "link", "none"] : ["mail", "none"];
  const [way, setWay] = useState<Way>(by.mail ? "mail" : mayHandOver(by) ? "link" : "none");
  const submit = () => {
    const person: Invite = { email: email.trim(), name: name.trim(), role, way };
    invite.mutate(person, {
      onSuccess({ invitation }) {
        if (invitation) return;
        tell(t(way === "mail" ? "invitedByMail" : "added", { name: person.name }));
        onClose();
      },
    });
  };
  return (
    <DialogForm
      action={t(way === "none" ? "add" : "invite")}
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
      <WayField ways={ways} mail={by.mail} value={way} onChange={setWay} />
    </DialogForm>
  );
}
