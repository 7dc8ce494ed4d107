import type { CalibrationDetailBody } from "@hearback/sdk";
import { Group, Kbd, Paper, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useSession } from "../access/queries.ts";
import { Icon } from "../ui/icon.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { useShortcuts } from "../ui/shortcuts/shortcuts.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { calibrationLink } from "./calibration-link.ts";
import { findNextCall, isToScore } from "./find-next-call.ts";
import { calibrationQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

/** Open sessions that are looked at. Nobody takes part in more at a time. */
const maxSessions = 20;

/** Sessions in which the user has calls to score, those that are due first. Nothing if there are none. */
export function ToScore() {
  const { t } = useTexts();
  const { user } = useSession();
  const { data } = useInfiniteQuery(calibrationQueries.list("open"));
  const listed = (data?.pages[0]?.calibrations ?? []).slice(0, maxSessions);
  const found = useQueries({ queries: listed.map(({ id }) => calibrationQueries.one(id)) });
  const waiting = found
    .flatMap(({ data: session }) => session ?? [])
    .filter(
      ({ state, progress, call_list }) =>
        state === "open" && progress.some(({ user_id }) => user_id === user.id) && call_list.some(isToScore),
    )
    .sort((a, b) => dueMs(a) - dueMs(b));
  if (waiting.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-labelledby="to-score">
      <Title order={2} size="h5" id="to-score">
        {t("toScore")}
      </Title>
      {waiting.map((session, index) => (
        <NextInSession key={session.id} session={session} isFirst={index === 0} />
      ))}
    </Stack>
  );
}

const dueMs = ({ due_at }: CalibrationDetailBody) => (due_at ? Date.parse(due_at) : Number.POSITIVE_INFINITY);

interface NextInSessionProps {
  readonly session: CalibrationDetailBody;
  /** Enter opens its next call. */
  readonly isFirst: boolean;
}

/** How many calls are to score, and the link to the next one. */
export function NextInSession({ session, isFirst }: NextInSessionProps) {
  const { t } = useTexts();
  const format = useFormat();
  const next = findNextCall(session);
  if (!next) return null;
  const link = calibrationLink(session, next.call_id);
  const count = session.call_list.filter(isToScore).length;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="md">
        <div>
          <Text fw={600} className="breakable">
            {session.name}
          </Text>
          <Text size="sm" c="dimmed">
            {session.due_at
              ? t("toScoreDue", { calls: t("callsLeft", { count }), due: format.date(session.due_at) })
              : t("callsLeft", { count })}
          </Text>
        </div>
        <LinkButton
          {...link}
          {...(!isFirst && { variant: "light" })}
          leftSection={<Icon name="play" size={16} />}
          rightSection={
            isFirst && (
              <Kbd size="xs" visibleFrom="sm" aria-hidden="true">
                ⏎
              </Kbd>
            )
          }
          aria-label={t("scoreNextOf", { name: session.name })}
        >
          {t("scoreNext")}
        </LinkButton>
      </Group>
      {isFirst && <OpenByEnter link={link} />}
    </Paper>
  );
}

function OpenByEnter({ link }: { readonly link: ReturnType<typeof calibrationLink> }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  useShortcuts([{ keys: ["Enter"], group: t("title"), text: t("scoreNext"), run: () => void navigate(link) }]);
  return null;
}
