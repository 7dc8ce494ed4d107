import type { InvitationBody, UserBody } from "@hearback/sdk";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { accessQueries, useSession } from "../access/queries.ts";
import { SessionList } from "../access/session-list.tsx";
import { useTexts } from "../i18n/use-texts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { ChangeUser } from "./change-user.tsx";
import { DeactivateUser } from "./deactivate-user.tsx";
import { InvitationLink } from "./invitation-link.tsx";
import { InvitePeople } from "./invite-people.tsx";
import { PeopleFilters } from "./people-filters.tsx";
import { PeopleTable, type PersonAction } from "./people-table.tsx";
import { SendInvitation } from "./send-invitation.tsx";

type Doing =
  | { readonly what: "invite" }
  | { readonly what: PersonAction; readonly user: UserBody }
  | { readonly what: "link"; readonly user: UserBody; readonly invitation: InvitationBody };

const titles = {
  change: "changeTitle",
  invitation: "inviteAgain",
  link: "linkTitle",
  sessions: "sessions",
  deactivate: "deactivate",
} as const;

export function PeoplePage() {
  const { t } = useTexts("users");
  const queries = useQueryClient();
  const { user: reader } = useSession();
  const mail = useQuery(accessQueries.options).data?.mail ?? false;
  const [doing, setDoing] = useState<Doing>();
  const done = () => setDoing(undefined);
  const by = { role: reader.role, mail };
  const about = doing && doing.what !== "invite" && doing.what !== "deactivate" ? doing : undefined;
  const invite = (
    <Button onClick={() => setDoing({ what: "invite" })} leftSection={<Icon name="plus" />}>
      {t("invite")}
    </Button>
  );
  return (
    <Page title={t("title")} intro={t("intro")} actions={invite}>
      <PeopleFilters />
      <PeopleTable reader={reader} onAction={(what, user) => setDoing({ what, user })} />
      <InvitePeople opened={doing?.what === "invite"} by={by} onClose={done} />
      <Dialog
        opened={about !== undefined}
        title={t(titles[about?.what ?? "change"])}
        size="lg"
        // The link is not to be seen again.
        dismissible={about?.what !== "link"}
        onClose={done}
      >
        {about?.what === "change" && (
          <ChangeUser
            user={about.user}
            isOneself={about.user.id === reader.id}
            // One's own name stands at the head of every page.
            onChanged={() => void queries.invalidateQueries({ queryKey: accessQueries.session.queryKey, exact: true })}
            onClose={done}
          />
        )}
        {about?.what === "invitation" && (
          <SendInvitation
            user={about.user}
            by={by}
            onLink={(invitation) => setDoing({ what: "link", user: about.user, invitation })}
            onClose={done}
          />
        )}
        {about?.what === "link" && (
          <InvitationLink name={about.user.name} invitation={about.invitation} onClose={done} />
        )}
        {about?.what === "sessions" && <SessionList user={about.user} />}
      </Dialog>
      <DeactivateUser user={doing?.what === "deactivate" ? doing.user : undefined} onClose={done} />
    </Page>
  );
}
