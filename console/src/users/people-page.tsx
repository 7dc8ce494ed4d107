import type { InvitationBody, UserBody } from "@hearback/sdk";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { accessQueries, useSession } from "../access/queries.ts";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { Page } from "../ui/page.tsx";
import { DeactivateUser } from "./deactivate-user.tsx";
import { InvitePeople } from "./invite-people.tsx";
import { PeopleFilters } from "./people-filters.tsx";
import { PeopleTable } from "./people-table.tsx";
import { useTexts } from "./texts.ts";
import { UnlinkProvider } from "./unlink-provider.tsx";

// Loaded when their dialog opens.
const ChangeTeam = lazyComponent(async () => (await import("./change-team.tsx")).ChangeTeam);
const ChangeUser = lazyComponent(async () => (await import("./change-user.tsx")).ChangeUser);
const InvitationLink = lazyComponent(async () => (await import("./invitation-link.tsx")).InvitationLink);
const SendInvitation = lazyComponent(async () => (await import("./send-invitation.tsx")).SendInvitation);
const SessionList = lazyComponent(async () => (await import("../access/account/session-list.tsx")).SessionList);
const ResetTwoStep = lazyComponent(async () => (await import("../access/two-step/reset-two-step.tsx")).ResetTwoStep);

type Doing =
  | { readonly what: "invite" }
  | { readonly what: "change" | "team" | "invitation" | "sessions"; readonly user: UserBody }
  | { readonly what: "unlink" | "deactivate"; readonly user: UserBody }
  | { readonly what: "link"; readonly user: UserBody; readonly invitation: InvitationBody };

const titles = {
  change: "changeTitle",
  team: "changeTeam",
  invitation: "inviteAgain",
  link: "linkTitle",
  sessions: "sessions",
} as const;

/** Actions with a dialog here; the others bring their own. */
type Titled = Extract<Doing, { readonly what: keyof typeof titles }>;

export function PeoplePage() {
  const { t } = useTexts();
  const queries = useQueryClient();
  const { user: reader } = useSession();
  const options = useQuery(accessQueries.options).data;
  const mail = options?.mail ?? false;
  const [doing, setDoing] = useState<Doing>();
  const done = () => setDoing(undefined);
  const by = { role: reader.role, mail };
  const about = doing && doing.what in titles ? (doing as Titled) : undefined;
  const headerActions = (
    <>
      <Button component={Link} to="/people/teams" variant="default" leftSection={<Icon name="people" />}>
        {t("teams")}
      </Button>
      <Button onClick={() => setDoing({ what: "invite" })} leftSection={<Icon name="plus" />}>
        {t("invite")}
      </Button>
    </>
  );
  return (
    <Page title={t("title")} intro={t("intro")} actions={headerActions}>
      <PeopleFilters />
      <PeopleTable
        reader={{ ...reader, provider: Boolean(options?.oidc) }}
        onAction={(what, user) => setDoing({ what, user })}
      />
      <InvitePeople opened={doing?.what === "invite"} by={by} onClose={done} />
      <Dialog
        opened={about !== undefined}
        title={t(titles[about?.what ?? "change"])}
        size="lg"
        // The link is shown once.
        dismissible={about?.what !== "link"}
        onClose={done}
      >
        {about?.what === "change" && (
          <ChangeUser
            user={about.user}
            isOneself={about.user.id === reader.id}
            // The own name is part of the page header.
            onChanged={() => void queries.invalidateQueries({ queryKey: accessQueries.session.queryKey, exact: true })}
            onClose={done}
          />
        )}
        {about?.what === "team" && <ChangeTeam user={about.user} onClose={done} />}
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
        {about?.what === "sessions" && (
          <>
            <SessionList user={about.user} />
            {about.user.id !== reader.id && <ResetTwoStep user={about.user} />}
          </>
        )}
      </Dialog>
      <UnlinkProvider user={doing?.what === "unlink" ? doing.user : undefined} onClose={done} />
      <DeactivateUser user={doing?.what === "deactivate" ? doing.user : undefined} onClose={done} />
    </Page>
  );
}
