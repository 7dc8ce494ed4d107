import { Alert, Stack } from "@mantine/core";
import { type NotificationData, notifications, useNotifications } from "@mantine/notifications";
import { useEffect, useState } from "react";
import type { NoticeList } from "./notice-list.tsx";

const load = async () => (await import("./notice-list.tsx")).NoticeList;

/** What `tell` says, in a corner of the page. What shows it is fetched when there is something to say. */
export function Notices() {
  const { notifications: shown, queue } = useNotifications();
  const count = shown.length + queue.length;
  const [list, setList] = useState<{ readonly List: typeof NoticeList | undefined }>();
  useEffect(() => {
    if (count === 0) return;
    load().then(
      (List) => setList({ List }),
      () => setList({ List: undefined }),
    );
  }, [count]);
  if (count === 0 || !list) return null;
  return list.List ? <list.List position="bottom-right" /> : <PlainNotices notices={shown} />;
}

const readMs = 10_000;

/** The same without what could not be fetched: that may be the very thing that there is to say. */
function PlainNotices({ notices }: { readonly notices: readonly NotificationData[] }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another notice the time to read them begins again
  useEffect(() => {
    const timer = setTimeout(() => notifications.clean(), readMs);
    return () => clearTimeout(timer);
  }, [notices]);
  return (
    <Stack gap="xs" className="plain-notices">
      {notices.map(({ id, title, message, color }) => (
        <Alert key={id} variant="default" title={title} {...(color && { color })}>
          {message}
        </Alert>
      ))}
    </Stack>
  );
}
