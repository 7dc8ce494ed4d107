import type { InvitationBody } from "@hearback/sdk";
import { SegmentedControl, Stack } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import type { Inviter } from "./rights.ts";
import { useTexts } from "./texts.ts";

// Loaded when the dialog opens.
const InvitationLink = lazyComponent(async () => (await import("./invitation-link.tsx")).InvitationLink);
const InviteMany = lazyComponent(async () => (await import("./invite-many.tsx")).InviteMany);
const InviteOne = lazyComponent(async () => (await import("./invite-one.tsx")).InviteOne);

interface InvitePeopleProps {
  readonly opened: boolean;
  readonly by: Inviter;
  readonly onClose: () => void;
}

export function InvitePeople({ opened, by, onClose }: InvitePeopleProps) {
  const { t } = useTexts();
  const [many, setMany] = useState(false);
  const [running, setRunning] = useState(false);
  const [link, setLink] = useState<{ readonly name: string; readonly invitation: InvitationBody }>();
  const close = () => {
    setLink(undefined);
    onClose();
  };
  return (
    <Dialog
      // Show the link even if the form was closed in the meantime.
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
