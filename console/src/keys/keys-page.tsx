import type { KeyBody, NewKeyBody } from "@hearback/sdk";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { campaignQueries } from "../campaigns/queries.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Page } from "../ui/page.tsx";
import { userQueries } from "../users/queries.ts";
import { FreshKey } from "./fresh-key.tsx";
import { type KeyAction, KeyTable } from "./key-table.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { RotateKey } from "./rotate-key.tsx";

/** Fetched when the dialog opens. */
const NewKey = lazyPart(async () => (await import("./new-key.tsx")).NewKey);
const ChangeKey = lazyPart(async () => (await import("./change-key.tsx")).ChangeKey);

type Doing =
  | { readonly what: "make" }
  | { readonly what: KeyAction; readonly key: KeyBody }
  | { readonly what: "show"; readonly made: NewKeyBody };

const titles = { make: "new", change: "changeTitle", rotate: "rotateTitle", show: "fresh", revoke: "revoke" } as const;

export function KeysPage() {
  const { t } = useTexts("keys");
  const campaigns = useQuery(campaignQueries.choices).data ?? [];
  const [doing, setDoing] = useState<Doing>();
  const [kept, setKept] = useState(false);
  const done = () => setDoing(undefined);
  const show = (made: NewKeyBody) => {
    setKept(false);
    setDoing({ what: "show", made });
  };
  const names = useMemo(() => new Map(campaigns.map(({ id, name }) => [id, name])), [campaigns]);
  const make = (
    <Button onClick={() => setDoing({ what: "make" })} leftSection={<Icon name="plus" />}>
      {t("new")}
    </Button>
  );
  return (
    <Page title={t("title")} intro={t("intro")} actions={make}>
      <KeyTable campaignNames={names} onAction={(what, key) => setDoing({ what, key })} />
      <Dialog
        opened={doing !== undefined && doing.what !== "revoke"}
        title={t(titles[doing?.what ?? "make"])}
        size="lg"
        // The key is not to be seen again: neither Escape nor a stray click may take it away.
        dismissible={doing?.what !== "show" || kept}
        onClose={done}
      >
        {doing?.what === "make" && <NewKey campaigns={campaigns} onMade={show} onClose={done} />}
        {doing?.what === "change" && <ChangeKey keyBody={doing.key} onClose={done} />}
        {doing?.what === "rotate" && <RotateKey keyBody={doing.key} onMade={show} onClose={done} />}
        {doing?.what === "show" && <Fresh made={doing.made} kept={kept} onKept={setKept} onClose={done} />}
      </Dialog>
      <RevokeKey keyBody={doing?.what === "revoke" ? doing.key : undefined} onClose={done} />
    </Page>
  );
}

interface FreshProps {
  readonly made: NewKeyBody;
  readonly kept: boolean;
  readonly onKept: (kept: boolean) => void;
  readonly onClose: () => void;
}

/** With somebody and somewhere that an import could name. */
function Fresh(props: FreshProps) {
  const campaigns = useQuery(campaignQueries.choices).data ?? [];
  const agents = useQuery(userQueries.anAgent).data;
  const open = campaigns.find(({ archived }) => !archived)?.id;
  return <FreshKey {...props} campaignId={props.made.campaign_ids?.[0] ?? open} agentEmail={agents?.users[0]?.email} />;
}
