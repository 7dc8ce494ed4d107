import type { ListedSessionBody } from "@hearback/sdk";
import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Confirm } from "../../ui/dialog/confirm.tsx";
import { Problem } from "../../ui/feedback/problem.tsx";
import { Icon } from "../../ui/icon.tsx";
import { LoadingRows } from "../../ui/table/loading-rows.tsx";
import { MoreRows } from "../../ui/table/more-rows.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import { accessQueries, useEndSessions } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { browserName } from "./browser-name.ts";

interface SessionListProps {
  /** Absent: sessions of the caller. */
  readonly user?: { readonly id: string; readonly name: string };
}

/** Active sessions of a user, with a sign-out button each. */
export function SessionList({ user }: SessionListProps) {
  const { t } = useTexts();
  const list = useInfiniteQuery(accessQueries.sessions(user?.id));
  const end = useEndSessions(user?.id);
  const rows = useRef<HTMLDivElement>(null);
  const wasEnding = useRef(false);
  useEffect(() => {
    // The button is removed together with its session, so the list takes the focus.
    if (wasEnding.current && !end.isPending && document.activeElement === document.body) rows.current?.focus();
    wasEnding.current = end.isPending;
  }, [end.isPending]);
  const problem = list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return problem ?? <LoadingRows rows={2} height={60} />;
  const sessions = list.data.pages.flatMap((page) => page.sessions);
  const isEnding = ({ id, current }: ListedSessionBody) =>
    end.isPending && !current && (end.variables === "others" || end.variables.id === id);
  const several = sessions.filter(({ current }) => !current).length > 1;
  return (
    <Stack gap="md">
      {user && <Text size="sm">{t(sessions.length === 0 ? "sessionsNone" : "sessionsOf", { name: user.name })}</Text>}
      {problem}
      <Stack component="ul" gap={0} m={0} p={0} className="plain-list" ref={rows} tabIndex={-1}>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            pending={isEnding(session)}
            onEnd={() => end.mutate({ id: session.id })}
          />
        ))}
      </Stack>
      {several && (user ? <EndAll end={end} /> : <EndOthers end={end} />)}
      {end.error && <Problem error={end.error} />}
      {(list.hasNextPage || list.data.pages.length > 1) && (
        <MoreRows
          shown={sessions.length}
          hasMore={list.hasNextPage}
          loading={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </Stack>
  );
}

interface EndProps {
  readonly end: ReturnType<typeof useEndSessions>;
}

function EndAll({ end }: EndProps) {
  const { t } = useTexts();
  return (
    <Button color="red" variant="outline" loading={end.isPending} onClick={() => end.mutate("others")}>
      {t("endAll")}
    </Button>
  );
}

function EndOthers({ end }: EndProps) {
  const { t } = useTexts();
  const [asking, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open} w="fit-content">
        {t("endOthers")}
      </Button>
      <Confirm
        opened={asking}
        title={t("endOthers")}
        action={t("endOthers")}
        dangerous
        pending={end.isPending}
        onConfirm={() => end.mutate("others", { onSettled: close })}
        onClose={close}
      >
        {t("endOthersDetail")}
      </Confirm>
    </>
  );
}

interface SessionRowProps {
  readonly session: ListedSessionBody;
  readonly pending: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ session, pending, onEnd }: SessionRowProps) {
  const { t } = useTexts();
  const format = useFormat();
  const { browser, system } = browserName(session.user_agent);
  const name = [browser ?? t("unknownBrowser"), system].filter(Boolean).join(", ");
  return (
    <Group component="li" justify="space-between" wrap="nowrap" py="sm" className="ruled">
      <div>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          {session.current && (
            <Badge variant="light" leftSection={<Icon name="check" size={12} />}>
              {t("thisBrowser")}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {t("lastSeen", { at: format.dateTime(session.last_seen_at) })}
          {" · "}
          {t(`by_${session.signed_in_by}`, { at: format.dateTime(session.created_at) })}
        </Text>
      </div>
      {!session.current && (
        <Button
          flex="none"
          variant="default"
          size="xs"
          loading={pending}
          onClick={onEnd}
          aria-label={t("endNamed", { name })}
        >
          {t("end")}
        </Button>
      )}
    </Group>
  );
}
