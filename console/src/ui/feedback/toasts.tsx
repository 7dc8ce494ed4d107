import { Alert, Stack } from "@mantine/core";
import { type NotificationData, notifications, useNotifications } from "@mantine/notifications";
import { useEffect, useState } from "react";
import type { ToastList } from "./toast-list.tsx";

const load = async () => (await import("./toast-list.tsx")).ToastList;

/** Toasts in a corner of the page. The component loads with the first toast. */
export function Toasts() {
  const { notifications: shown, queue } = useNotifications();
  const count = shown.length + queue.length;
  const [list, setList] = useState<{ readonly List: typeof ToastList | undefined }>();
  useEffect(() => {
    if (count === 0) return;
    load().then(
      (List) => setList({ List }),
      () => setList({ List: undefined }),
    );
  }, [count]);
  if (count === 0 || !list) return null;
  return list.List ? <list.List position="bottom-left" className="toasts" /> : <PlainToasts notices={shown} />;
}

const readMs = 10_000;

/** Fallback if the toast component cannot be loaded: the toast may report exactly that. */
function PlainToasts({ notices }: { readonly notices: readonly NotificationData[] }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new toast restarts the timer
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
