import type { KeyBody, NewKeyBody } from "@hearback/sdk";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { campaignQueries } from "../campaigns/queries.ts";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { Page } from "../ui/page.tsx";
import { userQueries } from "../users/queries.ts";
import { CreatedKey } from "./created-key.tsx";
import { type KeyAction, KeyTable } from "./key-table.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { RotateKey } from "./rotate-key.tsx";
import { useTexts } from "./texts.ts";

/** Loaded when the dialog opens. */
const NewKey = lazyComponent(async () => (await import("./new-key.tsx")).NewKey);
const ChangeKey = lazyComponent(async () => (await import("./change-key.tsx")).ChangeKey);

type Doing =
  | { readonly what: "create" }
  | { readonly what: KeyAction; readonly key: KeyBody }
  | { readonly what: "show"; readonly created: NewKeyBody };

const titles = {
  create: "createKey",
  change: "changeTitle",
  rotate: "rotateTitle",
  show: "createdTitle",
  revoke: "revoke",
} as const;

export function KeysPage() {
  const { t } = useTexts();
  const campaigns = useQuery(campaignQueries.choices).data ?? [];
  const [doing, setDoing] = useState<Doing>();
  const [saved, setSaved] = useState(false);
  const done = () => setDoing(undefined);
  const show = (created: NewKeyBody) => {
    setSaved(false);
    setDoing({ what: "show", created });
  };
  const names = useMemo(() => new Map(campaigns.map(({ id, name }) => [id, name])), [campaigns]);
  const createButton = (
    <Button onClick={() => setDoing({ what: "create" })} leftSection={<Icon name="plus" />}>
      {t("createKey")}
    </Button>
  );
  return (
    <Page title={t("title")} intro={t("intro")} actions={createButton}>
      <KeyTable campaignNames={names} onAction={(what, key) => setDoing({ what, key })} />
      <Dialog
        opened={doing !== undefined && doing.what !== "revoke"}
        title={t(titles[doing?.what ?? "create"])}
        size="lg"
        // The key is shown once: neither Escape nor an outside click closes the dialog.
        dismissible={doing?.what !== "show" || saved}
        onClose={done}
      >
        {doing?.what === "create" && <NewKey campaigns={campaigns} onCreated={show} onClose={done} />}
        {doing?.what === "change" && <ChangeKey keyBody={doing.key} onClose={done} />}
        {doing?.what === "rotate" && <RotateKey keyBody={doing.key} onCreated={show} onClose={done} />}
        {doing?.what === "show" && <Created created={doing.created} saved={saved} onSaved={setSaved} onClose={done} />}
      </Dialog>
      <RevokeKey keyBody={doing?.what === "revoke" ? doing.key : undefined} onClose={done} />
    </Page>
  );
}

interface CreatedProps {
  readonly created: NewKeyBody;
  readonly saved: boolean;
  readonly onSaved: (saved: boolean) => void;
  readonly onClose: () => void;
}

/** Adds an agent and a campaign for the example import. */
function Created(props: CreatedProps) {
  const campaigns = useQuery(campaignQueries.choices).data ?? [];
  const agents = useQuery(userQueries.anAgent).data;
  const open = campaigns.find(({ archived }) => !archived)?.id;
  return (
    <CreatedKey {...props} campaignId={props.created.campaign_ids?.[0] ?? open} agentEmail={agents?.users[0]?.email} />
  );
}
