import type { SessionBody, TwoStepBody } from "@hearback/sdk";
import { Alert, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { onceClient } from "../../client.ts";
import { Confirm } from "../../ui/dialog/confirm.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Problem } from "../../ui/feedback/problem.tsx";
import { toast } from "../../ui/feedback/toast.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Section } from "../../ui/section.tsx";
import { LoadingRows } from "../../ui/table/loading-rows.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import { accessQueries } from "../queries.ts";
import { Confirmed } from "./confirm-password.tsx";
import { NewPasskey } from "./new-passkey.tsx";
import { twoStepQueries, useFactorChange } from "./queries.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SetUpApp } from "./set-up-app.tsx";
import { useTexts } from "./texts.ts";
import { TwoStepProblem } from "./two-step-problem.tsx";

/** Show a warning below this number. */
const fewCodes = 4;

/** Second factors of the signed-in user. */
export function TwoStep({ session }: { readonly session: SessionBody }) {
  const { t } = useTexts();
  const own = useQuery(twoStepQueries.own);
  return (
    <Section title={t("title")} intro={t("intro")}>
      {session.two_step_needed && (
        <Alert color="yellow" variant="light" icon={<Icon name="shield" />}>
          {t("needed")}
        </Alert>
      )}
      {own.error && <Problem error={own.error} onRetry={() => void own.refetch()} />}
      {own.data ? <Factors session={session} factors={own.data} /> : !own.error && <LoadingRows rows={3} height={50} />}
    </Section>
  );
}

type Doing =
  | { readonly what: "app" | "passkey" | "new-codes" | "remove-app" }
  | { readonly what: "codes"; readonly codes: readonly string[] }
  | { readonly what: "remove-passkey"; readonly id: string; readonly name: string };

function Factors({ session, factors }: { readonly session: SessionBody; readonly factors: TwoStepBody }) {
  const { t } = useTexts();
  const [doing, setDoing] = useState<Doing>();
  const done = () => setDoing(undefined);
  const added = (codes: readonly string[] | null) => {
    toast(t("done"));
    setDoing(codes ? { what: "codes", codes } : undefined);
  };
  const isOn = factors.totp !== null || factors.passkeys.length > 0;
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Badge
          color={isOn ? "green" : "gray"}
          variant="light"
          tt="none"
          leftSection={<Icon name={isOn ? "check" : "lock"} size={12} />}
        >
          {isOn ? t("on") : t("off")}
        </Badge>
      </Group>
      <Confirmed session={session}>
        <FactorList factors={factors} onDo={setDoing} />
      </Confirmed>
      <Dialog opened={doing?.what === "app"} title={t("addApp")} onClose={done}>
        <SetUpApp onAdded={added} onClose={done} />
      </Dialog>
      <Dialog opened={doing?.what === "passkey"} title={t("addPasskey")} onClose={done}>
        <NewPasskey onAdded={added} onClose={done} />
      </Dialog>
      <Dialog opened={doing?.what === "codes"} title={t("codesTitle")} dismissible={false} onClose={done}>
        {doing?.what === "codes" && <RecoveryCodes codes={doing.codes} onDone={done} />}
      </Dialog>
      <NewCodes
        opened={doing?.what === "new-codes"}
        onCodes={(codes) => setDoing({ what: "codes", codes })}
        onClose={done}
      />
      <Removals doing={doing} onClose={done} />
    </Stack>
  );
}

interface FactorListProps {
  readonly factors: TwoStepBody;
  readonly onDo: (what: Doing) => void;
}

function FactorList({ factors: { totp, passkeys, recovery_codes_left: left }, onDo }: FactorListProps) {
  const { t } = useTexts();
  const format = useFormat();
  const available = useQuery(accessQueries.options).data?.passkeys ?? false;
  const isOn = totp !== null || passkeys.length > 0;
  return (
    <Stack component="ul" gap={0} m={0} p={0} className="plain-list">
      <Row
        name={t("appName")}
        detail={totp ? t("appSince", { at: format.dateTime(totp.confirmed_at) }) : t("appDetail")}
      >
        <Button variant={isOn ? "default" : "filled"} size="xs" onClick={() => onDo({ what: "app" })}>
          {totp ? t("replaceApp") : t("addApp")}
        </Button>
        {totp && (
          <Button variant="default" size="xs" aria-label={t("removeApp")} onClick={() => onDo({ what: "remove-app" })}>
            {t("remove")}
          </Button>
        )}
      </Row>
      {passkeys.map(({ id, name, created_at, last_used_at }) => (
        <Row
          key={id}
          name={name}
          detail={[
            t("passkeySince", { at: format.dateTime(created_at) }),
            last_used_at ? t("passkeyUsed", { at: format.dateTime(last_used_at) }) : t("passkeyUnused"),
          ].join(", ")}
        >
          <Button
            variant="default"
            size="xs"
            aria-label={t("removeNamed", { name })}
            onClick={() => onDo({ what: "remove-passkey", id, name })}
          >
            {t("remove")}
          </Button>
        </Row>
      ))}
      <Row name={t("passkeys")} detail={available ? t("passkeyDetail") : t("passkeyUnavailable")}>
        {available && (
          <Button variant="default" size="xs" onClick={() => onDo({ what: "passkey" })}>
            {t("addPasskey")}
          </Button>
        )}
      </Row>
      {isOn && (
        <Row
          name={t("codesName")}
          detail={t("codesLeft", { count: left })}
          warning={left < fewCodes ? t("codesFew") : undefined}
        >
          <Button variant="default" size="xs" onClick={() => onDo({ what: "new-codes" })}>
            {t("codesNew")}
          </Button>
        </Row>
      )}
    </Stack>
  );
}

interface RowProps {
  readonly name: string;
  readonly detail: string;
  readonly warning?: string | undefined;
  readonly children: ReactNode;
}

function Row({ name, detail, warning, children }: RowProps) {
  return (
    <Group component="li" justify="space-between" py="sm" className="ruled">
      <div style={{ flex: "1 1 240px" }}>
        <Text fw={600} className="breakable">
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {detail}
        </Text>
        {warning && (
          <Text size="sm" fw={600}>
            <Icon name="warning" size={14} /> {warning}
          </Text>
        )}
      </div>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}

interface NewCodesProps {
  readonly opened: boolean;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

function NewCodes({ opened, onCodes, onClose }: NewCodesProps) {
  const { t } = useTexts();
  const create = useFactorChange(() => onceClient.twoStep.createRecoveryCodes());
  return (
    <Confirm
      opened={opened}
      title={t("codesNew")}
      action={t("codesNew")}
      pending={create.isPending}
      error={create.error}
      onConfirm={() => create.mutate(undefined, { onSuccess: ({ recovery_codes }) => onCodes(recovery_codes) })}
      onClose={onClose}
    >
      {t("codesNewDetail")}
    </Confirm>
  );
}

function Removals({ doing, onClose }: { readonly doing: Doing | undefined; readonly onClose: () => void }) {
  const { t } = useTexts();
  const passkeyId = doing?.what === "remove-passkey" ? doing.id : undefined;
  const remove = useFactorChange((id: string | undefined) =>
    id === undefined ? onceClient.twoStep.removeTotp() : onceClient.twoStep.removePasskey(id),
  );
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <Confirm
      opened={doing?.what === "remove-app" || passkeyId !== undefined}
      title={doing?.what === "remove-passkey" ? t("removeNamed", { name: doing.name }) : t("removeApp")}
      action={t("remove")}
      dangerous
      pending={remove.isPending}
      onConfirm={() => remove.mutate(passkeyId, { onSuccess: close })}
      onClose={close}
    >
      <Stack>
        <Text>{passkeyId ? t("removePasskeyDetail") : t("removeAppDetail")}</Text>
        {remove.error && <TwoStepProblem error={remove.error} />}
      </Stack>
    </Confirm>
  );
}
