import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Problem } from "../../ui/feedback/problem.tsx";
import { useTexts as useUiTexts } from "../../ui/texts.ts";
import { useFocusOnMount } from "../../ui/use-focus-on-mount.ts";
import { useReleaseMany } from "../queries.ts";
import { useTexts } from "../texts.ts";

interface ReleaseSelectedProps {
  readonly ids: readonly string[];
  readonly onClose: () => void;
}

/** Confirms, releases with progress, and shows the result. */
export function ReleaseSelected({ ids, onClose }: ReleaseSelectedProps) {
  const { t } = useTexts();
  const ui = useUiTexts();
  const [done, setDone] = useState(0);
  const release = useReleaseMany(setDone);
  const count = ids.length;
  if (release.data) return <Result {...release.data} onClose={onClose} />;
  return (
    <Stack>
      <Text>{t("releaseMany", { count })}</Text>
      {release.isPending && (
        <div role="status">
          <Progress value={(done / count) * 100} aria-label={t("releaseTitle")} mb={4} />
          <Text size="sm" c="dimmed" className="tabular">
            {t("releaseProgress", { done, count })}
          </Text>
        </div>
      )}
      {release.error && <Problem error={release.error} />}
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onClose}>
          {ui.t("cancel")}
        </Button>
        <Button loading={release.isPending} onClick={() => release.mutate(ids)}>
          {t("release")}
        </Button>
      </Group>
    </Stack>
  );
}

interface ResultProps {
  readonly released: number;
  readonly skipped: number;
  readonly onClose: () => void;
}

function Result({ released, skipped, onClose }: ResultProps) {
  const { t } = useTexts();
  const ui = useUiTexts();
  const button = useFocusOnMount<HTMLButtonElement>();
  return (
    <Stack>
      <div role="status">
        <Text>{t("releasedMany", { count: released })}</Text>
        {skipped > 0 && (
          <Text size="sm" c="dimmed">
            {t("releaseSkipped", { count: skipped })}
          </Text>
        )}
      </div>
      <Group justify="flex-end">
        <Button ref={button} onClick={onClose}>
          {ui.t("close")}
        </Button>
      </Group>
    </Stack>
  );
}
