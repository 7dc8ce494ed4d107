import type { WebhookBody } from "@hearback/sdk";
import { Button, Menu, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { useChangeWebhook, useDeleteWebhook, useTestWebhook } from "./queries.ts";
import { RotateSecret } from "./rotate-secret.tsx";
import { useTold } from "./told.tsx";
import { WebhookForm } from "./webhook-form.tsx";

type Doing = "change" | "rotate" | "pause" | "delete";

/** What can be done with a webhook. */
export function WebhookActions({ webhook }: { readonly webhook: WebhookBody }) {
  const { t } = useTexts("webhooks");
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  return (
    <>
      {webhook.enabled ? <SendTest id={webhook.id} /> : <Resume id={webhook.id} />}
      <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => setDoing("change")}>
        {t("change")}
      </Button>
      <Menu position="bottom-end" withinPortal transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="chevronDown" size={14} />}>
            {t("more")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="key" />} onClick={() => setDoing("rotate")}>
            {t("rotate")}
          </Menu.Item>
          {webhook.enabled && (
            <Menu.Item leftSection={<Icon name="pause" />} onClick={() => setDoing("pause")}>
              {t("pause")}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setDoing("delete")}>
            {t("delete")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={doing === "change"} title={t("change")} size="lg" onClose={close}>
        <Changing webhook={webhook} onClose={close} />
      </Dialog>
      <RotateSecret webhook={webhook} opened={doing === "rotate"} onClose={close} />
      <Pausing id={webhook.id} opened={doing === "pause"} onClose={close} />
      <Deleting webhook={webhook} opened={doing === "delete"} onClose={close} />
    </>
  );
}

function SendTest({ id }: { readonly id: string }) {
  const { t } = useTexts("webhooks");
  const test = useTestWebhook(id);
  const told = useTold();
  const send = () => test.mutate(undefined, { onSuccess: () => told.done(t("testSent")), onError: told.failed });
  return (
    <Button leftSection={<Icon name="webhook" />} loading={test.isPending} onClick={send}>
      {t("test")}
    </Button>
  );
}

function Resume({ id }: { readonly id: string }) {
  const { t } = useTexts("webhooks");
  const change = useChangeWebhook(id);
  const told = useTold();
  const resume = () =>
    change.mutate({ enabled: true }, { onSuccess: () => told.done(t("resumed")), onError: told.failed });
  return (
    <Button leftSection={<Icon name="play" />} loading={change.isPending} onClick={resume}>
      {t("resume")}
    </Button>
  );
}

function Changing({ webhook, onClose }: { readonly webhook: WebhookBody; readonly onClose: () => void }) {
  const ui = useTexts("ui");
  const change = useChangeWebhook(webhook.id);
  return (
    <WebhookForm
      initial={webhook}
      action={ui.t("save")}
      pending={change.isPending}
      error={change.error}
      onSubmit={(values) => change.mutate(values, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

interface AskingProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

function Pausing({ id, opened, onClose }: AskingProps & { readonly id: string }) {
  const { t } = useTexts("webhooks");
  const change = useChangeWebhook(id);
  const close = () => {
    change.reset();
    onClose();
  };
  return (
    <Confirm
      opened={opened}
      title={t("pause")}
      action={t("pause")}
      pending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ enabled: false }, { onSuccess: close })}
      onClose={close}
    >
      <Text>{t("pauseDetail")}</Text>
    </Confirm>
  );
}

function Deleting({ webhook, opened, onClose }: AskingProps & { readonly webhook: WebhookBody }) {
  const { t } = useTexts("webhooks");
  const remove = useDeleteWebhook(webhook.id);
  const navigate = useNavigate();
  const close = () => {
    // One that is under way goes on, and leads away.
    if (remove.isError) remove.reset();
    onClose();
  };
  return (
    <Confirm
      opened={opened}
      title={t("delete")}
      action={t("delete")}
      dangerous
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: "/webhooks" }) })}
      onClose={close}
    >
      <Text className="breakable" ff="monospace" size="sm" mb="xs">
        {webhook.url}
      </Text>
      <Text>{t("deleteDetail")}</Text>
    </Confirm>
  );
}
