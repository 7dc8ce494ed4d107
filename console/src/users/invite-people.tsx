import type { InvitationBody } from "@hearback/sdk";
import { SegmentedControl, Stack } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { InvitationLink } from "./invitation-link.tsx";
import { InviteMany } from "./invite-many.tsx";
import { InviteOne } from "./invite-one.tsx";
import type { Inviter } from "./rights.ts";

interface InvitePeopleProps {
  readonly opened: boolean;
  readonly by: Inviter;
  readonly onClose: () => void;
}

export function InvitePeople({ opened, by, onClose }: InvitePeopleProps) {
  const { t } = useTexts("users");
  const [many, setMany] = useState(false);
  const [running, setRunning] = useState(false);
  const [link, setLink] = useState<{ readonly name: string; readonly invitation: InvitationBody }>();
  const close = () => {
    setLink(undefined);
    onClose();
  };
  return (
    <Dialog
      // A link that was made is shown, also to who closed the form too early.
      opened={opened || link !== undefined}
      title={t(link ? "linkTitle" : "inviteTitle")}
      size="lg"
      dismissible={!running && !link}
      onClose={close}
    >
      {link ? (
        <InvitationLink {...link} onClose={close} />
      ) : (
        <Stack>
          <SegmentedControl
            aria-label={t("howMany")}
            value={many ? "many" : "one"}
            onChange={(value) => setMany(value === "many")}
            disabled={running}
            data={[
              { value: "one", label: t("one") },
              { value: "many", label: t("many") },
            ]}
          />
          {many ? (
            <InviteMany by={by} onRunning={setRunning} onClose={close} />
          ) : (
            <InviteOne by={by} onLink={(invitation, name) => setLink({ name, invitation })} onClose={close} />
          )}
        </Stack>
      )}
    </Dialog>
  );
}
