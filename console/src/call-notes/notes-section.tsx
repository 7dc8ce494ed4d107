import type { CallNoteBody } from "@hearback/sdk";
import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useSession } from "../access/queries.ts";
import { useUserName } from "../access/use-user-name.ts";
import type { Player } from "../player/engine/player.ts";
import { keepFocus } from "../player/keep-focus.ts";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { Section } from "../ui/section.tsx";
import { useShortcuts } from "../ui/shortcuts/shortcuts.tsx";
import { LoadingRows } from "../ui/table/loading-rows.tsx";
import { RowMenu } from "../ui/table/row-menu.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { NoteForm } from "./note-form.tsx";
import styles from "./notes.module.css";
import { noteQueries, useDeleteNote } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface NotesSectionProps {
  readonly callId: string;
  /** Absent until the player is loaded. */
  readonly player: Player | undefined;
  /** While reviewing, notes of others are hidden: they would influence the answers. */
  readonly ownOnly?: boolean;
}

/** Notes at a second of the call, for everyone who reviews. */
export function NotesSection({ callId, player, ownOnly = false }: NotesSectionProps) {
  const { t } = useTexts();
  const { user } = useSession();
  const { data: all, error, refetch } = useQuery(noteQueries.list(callId));
  const notes = ownOnly ? all?.filter(({ author }) => author.id === user.id) : all;
  const hidden = (all?.length ?? 0) - (notes?.length ?? 0);
  const [newAtMs, setNewAtMs] = useState<number>();
  const [deleted, setDeleted] = useState<CallNoteBody>();
  const button = useRef<HTMLButtonElement>(null);
  const add = () => setNewAtMs(Math.floor((player?.nowMs() ?? 0) / 1000) * 1000);
  const close = () => {
    setNewAtMs(undefined);
    button.current?.focus();
  };
  useShortcuts([{ keys: ["t"], group: t("keys"), text: t("add"), run: add }]);
  return (
    <Section small title={t("title")}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!notes && !error && <LoadingRows rows={1} height={20} />}
      {notes?.length === 0 && newAtMs === undefined && (
        <div>
          <Text size="sm">{t("none")}</Text>
          <Text size="sm" c="dimmed">
            {t("noneDetail")}
          </Text>
        </div>
      )}
      {notes && notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map((note) => (
            <Note key={note.id} note={note} player={player} onDelete={() => setDeleted(note)} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <Text size="sm" c="dimmed">
          {t("hidden", { count: hidden })}
        </Text>
      )}
      {newAtMs === undefined ? (
        <div>
          <Button
            ref={button}
            size="xs"
            variant="default"
            disabled={!player}
            leftSection={<Icon name="plus" size={14} />}
            onClick={add}
          >
            {t("add")}
          </Button>
        </div>
      ) : (
        <NoteForm key={newAtMs} callId={callId} positionMs={newAtMs} onClose={close} />
      )}
      <DeleteNote note={deleted} onClose={() => setDeleted(undefined)} />
    </Section>
  );
}

interface NoteProps {
  readonly note: CallNoteBody;
  readonly player: Player | undefined;
  readonly onDelete: () => void;
}

function Note({ note, player, onDelete }: NoteProps) {
  const { t } = useTexts();
  const format = useFormat();
  const { user } = useSession();
  const [isEditing, setEditing] = useState(false);
  const { author, position_ms } = note;
  const name = useUserName(author.type === "user" ? author.id : null);
  const isMine = author.id === user.id;
  const time = format.duration(position_ms);
  const actions = [
    ...(isMine ? [{ label: t("edit"), icon: "edit" as const, onClick: () => setEditing(true) }] : []),
    { label: t("delete"), icon: "trash" as const, dangerous: true, onClick: onDelete },
  ];
  if (isEditing)
    return (
      <li>
        <NoteForm
          callId={note.call_id}
          id={note.id}
          positionMs={position_ms}
          text={note.text}
          onClose={() => setEditing(false)}
        />
      </li>
    );
  return (
    <li className={styles.note}>
      <Button
        size="compact-xs"
        variant="light"
        className="tabular"
        disabled={!player}
        aria-label={t("playFrom", { time })}
        leftSection={<Icon name="play" size={10} />}
        onClick={() => player?.playStretch({ startMs: position_ms, endMs: position_ms })}
        {...keepFocus}
      >
        {time}
      </Button>
      <Stack gap={0} miw={0}>
        <Text size="sm" className={styles.text}>
          {note.text}
        </Text>
        <Text size="xs" c="dimmed">
          {name ?? t("formerUser")}
          {note.changed_at && ` · ${t("changed")}`}
        </Text>
      </Stack>
      {(isMine || user.role !== "reviewer") && <RowMenu name={t("noteAt", { time })} actions={actions} />}
    </li>
  );
}

function DeleteNote({ note, onClose }: { readonly note: CallNoteBody | undefined; readonly onClose: () => void }) {
  const { t } = useTexts();
  const format = useFormat();
  const remove = useDeleteNote(note?.call_id ?? "");
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <Confirm
      opened={note !== undefined}
      title={t("deleteTitle", { time: format.duration(note?.position_ms ?? 0) })}
      action={t("deleteNote")}
      dangerous
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => note && remove.mutate(note.id, { onSuccess: close })}
      onClose={close}
    >
      {t("deleteDetail")}
    </Confirm>
  );
}
