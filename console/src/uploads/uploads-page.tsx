import { Alert } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { useSession } from "../access/queries.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { loadDialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { LoadingRows } from "../ui/loading-rows.tsx";
import { Page } from "../ui/page.tsx";
import { Problem } from "../ui/problem.tsx";
import { loadRowMenu } from "../ui/row-menu.tsx";
import { DropZone } from "./drop-zone.tsx";
import { NamesHelp } from "./names-help.tsx";
import { uploadQueries } from "./queries.ts";
import { uploads as queue, useUploads } from "./uploads.ts";
import { useAddFiles } from "./use-add-files.ts";

const loadChosenFiles = () => import("./chosen-files.tsx");
const ChosenFiles = lazyPart(async () => (await loadChosenFiles()).ChosenFiles);

/** Bringing calls in by hand. */
export function UploadsPage() {
  const { t } = useTexts("uploads");
  const { user } = useSession();
  const uploads = useUploads();
  const add = useAddFiles(user.id);
  const known = useQuery(uploadQueries.known);
  useEffect(() => queue.belongTo(user.id), [user.id]);
  useEffect(() => {
    if (known.data) queue.know(known.data);
  }, [known.data]);
  // Whoever is here is about to choose some: what they need then is there, even if the service is away.
  useEffect(() => void Promise.allSettled([loadChosenFiles(), loadDialog(), loadRowMenu()]), []);
  const some = uploads.rows.length > 0;
  return (
    <Page title={t("title")} intro={t("intro")}>
      {known.isError && <Problem error={known.error} onRetry={() => void known.refetch()} />}
      {uploads.leftBehind > 0 && (
        <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={t("leftBehind")} role="alert">
          {t("leftBehindDetail", { count: uploads.leftBehind })}
        </Alert>
      )}
      <DropZone compact={some} onFiles={add} />
      {some ? (
        <Suspense fallback={<LoadingRows rows={4} height={60} />}>
          <ChosenFiles uploads={uploads} />
        </Suspense>
      ) : (
        <NamesHelp zone={uploads.knowing.choices.zone} />
      )}
    </Page>
  );
}
