import type { WebhookBody } from "@hearback/sdk";
import { Button, Menu, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { useTexts as useUiTexts } from "../ui/texts.ts";
import { useChangeWebhook, useDeleteWebhook, useTestWebhook } from "./queries.ts";
import { RotateSecret } from "./rotate-secret.tsx";
import { useTexts } from "./texts.ts";
import { useResultToast } from "./use-result-toast.ts";
import { WebhookForm } from "./webhook-form.tsx";

type Doing = "change" | "rotate" | "pause" | "delete";

export function WebhookActions({ webhook }: { readonly webhook: WebhookBody }) {
  const { t } = useTexts();
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
        <EditForm webhook={webhook} onClose={close} />
      </Dialog>
      <RotateSecret webhook={webhook} opened={doing === "rotate"} onClose={close} />
      <ConfirmPause id={webhook.id} opened={doing === "pause"} onClose={close} />
      <ConfirmDelete webhook={webhook} opened={doing === "delete"} onClose={close} />
    </>
  );
}

function SendTest({ id }: { readonly id: string }) {
  const { t } = useTexts();
  const test = useTestWebhook(id);
  const resultToast = useResultToast();
  const send = () =>
    test.mutate(undefined, { onSuccess: () => resultToast.done(t("testSent")), onError: resultToast.failed });
  return (
    <Button leftSection={<Icon name="webhook" />} loading={test.isPending} onClick={send}>
      {t("test")}
    </Button>
  );
}

function Resume({ id }: { readonly id: string }) {
  const { t } = useTexts();
  const change = useChangeWebhook(id);
  const resultToast = useResultToast();
  const resume = () =>
    change.mutate({ enabled: true }, { onSuccess: () => resultToast.done(t("resumed")), onError: resultToast.failed });
  return (
    <Button leftSection={<Icon name="play" />} loading={change.isPending} onClick={resume}>
      {t("resume")}
    </Button>
  );
}

function EditForm({ webhook, onClose }: { readonly webhook: WebhookBody; readonly onClose: () => void }) {
  const ui = useUiTexts();
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

function ConfirmPause({ id, opened, onClose }: AskingProps & { readonly id: string }) {
  const { t } = useTexts();
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

function ConfirmDelete({ webhook, opened, onClose }: AskingProps & { readonly webhook: WebhookBody }) {
  const { t } = useTexts();
  const remove = useDeleteWebhook(webhook.id);
  const navigate = useNavigate();
  const close = () => {
    // A running deletion continues and then navigates away.
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
