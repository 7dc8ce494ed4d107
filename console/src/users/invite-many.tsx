import type { Role } from "@hearback/sdk";
import { Button, Group, List, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { DialogForm } from "../ui/dialog-form.tsx";
import { inviteEach, type Outcome } from "./invite-each.ts";
import { InviteOutcomes } from "./invite-outcomes.tsx";
import { mostPeople, parsePeople } from "./parse-people.ts";
import { useRefreshUsers, type Way } from "./queries.ts";
import { type Inviter, invitable } from "./rights.ts";
import { RoleField } from "./role-field.tsx";
import { WayField } from "./way-field.tsx";

interface InviteManyProps {
  readonly by: Inviter;
  /** While it runs the dialog stays open. */
  readonly onRunning: (running: boolean) => void;
  readonly onClose: () => void;
}

/** Several people at once, as they are pasted from a letter or a table. */
export function InviteMany({ by, onRunning, onClose }: InviteManyProps) {
  const { t } = useTexts("users");
  const refresh = useRefreshUsers();
  const [text, setText] = useState("");
  const [role, setRole] = useState<Role>("agent");
  const [way, setWay] = useState<Way>(by.mail ? "mail" : "none");
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>();
  const { people, wrong } = parsePeople(text);
  const running = outcomes?.some(({ state }) => state === "waiting") ?? false;
  const submit = async () => {
    onRunning(true);
    await inviteEach(people, { role, way }, setOutcomes);
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
        description={t("peopleDetail", { count: mostPeople })}
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
              {t("leftOut", { count: wrong.length })}
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
      <WayField ways={["mail", "none"]} mail={by.mail} value={way} onChange={setWay} />
    </DialogForm>
  );
}
