import { Alert } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { useSession } from "../access/queries.ts";
import { loadDialog } from "../ui/dialog/dialog.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { Page } from "../ui/page.tsx";
import { LoadingRows } from "../ui/table/loading-rows.tsx";
import { loadRowMenu } from "../ui/table/row-menu.tsx";
import { DropZone } from "./drop-zone.tsx";
import { NamesHelp } from "./file-names-help.tsx";
import { uploadQueries } from "./queries.ts";
import { uploads as queue, useUploads } from "./queue/uploads.ts";
import { useTexts } from "./texts.ts";
import { useAddFiles } from "./use-add-files.ts";

const loadChosenFiles = () => import("./chosen-files.tsx");
const ChosenFiles = lazyComponent(async () => (await loadChosenFiles()).ChosenFiles);

export function UploadsPage() {
  const { t } = useTexts();
  const { user } = useSession();
  const uploads = useUploads();
  const add = useAddFiles(user.id);
  const known = useQuery(uploadQueries.known);
  useEffect(() => queue.setOwner(user.id), [user.id]);
  useEffect(() => {
    if (known.data) queue.setDirectory(known.data);
  }, [known.data]);
  // Preload what is needed after files are chosen, in case the server becomes unreachable.
  useEffect(() => void Promise.allSettled([loadChosenFiles(), loadDialog(), loadRowMenu()]), []);
  const some = uploads.rows.length > 0;
  return (
    <Page title={t("title")} intro={t("intro")}>
      {known.isError && <Problem error={known.error} onRetry={() => void known.refetch()} />}
      {uploads.discarded > 0 && (
        <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={t("otherUser")} role="alert">
          {t("otherUserDetail", { count: uploads.discarded })}
        </Alert>
      )}
      <DropZone compact={some} onFiles={add} />
      {some ? (
        <Suspense fallback={<LoadingRows rows={4} height={60} />}>
          <ChosenFiles uploads={uploads} />
        </Suspense>
      ) : (
        <NamesHelp zone={uploads.context.defaults.zone} />
      )}
    </Page>
  );
}
