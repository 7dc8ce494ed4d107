import type { Role } from "@hearback/sdk";
import { Button, Group, List, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { DeliveryMethodField } from "./delivery-method-field.tsx";
import { inviteBatch, type Outcome } from "./invite-batch.ts";
import { InviteOutcomes } from "./invite-outcomes.tsx";
import { maxPeople, parsePeople } from "./parse-people.ts";
import { type DeliveryMethod, useRefreshUsers } from "./queries.ts";
import { type Inviter, invitable } from "./rights.ts";
import { RoleField } from "./role-field.tsx";
import { useTexts } from "./texts.ts";

interface InviteManyProps {
  readonly by: Inviter;
  /** Keeps the dialog open. */
  readonly onRunning: (running: boolean) => void;
  readonly onClose: () => void;
}

/** Invites several people from pasted text. */
export function InviteMany({ by, onRunning, onClose }: InviteManyProps) {
  const { t } = useTexts();
  const refresh = useRefreshUsers();
  const [text, setText] = useState("");
  const [role, setRole] = useState<Role>("agent");
  const [delivery, setDelivery] = useState<DeliveryMethod>(by.mail ? "mail" : "none");
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>();
  const { people, wrong } = parsePeople(text);
  const running = outcomes?.some(({ state }) => state === "waiting") ?? false;
  const submit = async () => {
    onRunning(true);
    await inviteBatch(people, { role, delivery }, setOutcomes);
    onRunning(false);
    await refresh();
  };
  if (outcomes) {
    return (
      <Stack>
        <InviteOutcomes outcomes={outcomes} />
        <Group justify="flex-end">
          <Button onClick={onClose} loading={running}>
            {t("done")}
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <DialogForm
      action={people.length === 0 ? t("invite") : t("inviteCount", { count: people.length })}
      disabled={people.length === 0}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Textarea
        label={t("people")}
        description={t("peopleDetail", { count: maxPeople })}
        placeholder={"Ann Lee <ann@example.com>\nBob Roy, bob@example.com"}
        required
        autosize
        minRows={5}
        maxRows={12}
        maxLength={100_000}
        spellCheck={false}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div aria-live="polite">
        {wrong.length > 0 && (
          <>
            <Text size="sm" fw={600}>
              {t("ignoredLines", { count: wrong.length })}
            </Text>
            <List size="sm">
              {wrong.slice(0, 5).map(({ line, text: said, why }) => (
                <List.Item key={line}>{t(`wrong_${why}`, { line, text: said })}</List.Item>
              ))}
            </List>
          </>
        )}
      </div>
      <RoleField roles={invitable(by.role)} value={role} onChange={setRole} description={t("roleForAll")} />
      <DeliveryMethodField methods={["mail", "none"]} mail={by.mail} value={delivery} onChange={setDelivery} />
    </DialogForm>
  );
}
