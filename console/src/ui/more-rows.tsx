import { Button, Group, Loader, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTexts } from "../i18n/use-texts.ts";

interface MoreRowsProps {
  readonly shown: number;
  readonly hasMore: boolean;
  readonly loading: boolean;
  readonly onMore: () => void;
}

/** The end of a list that comes page by page. */
export function MoreRows({ shown, hasMore, loading, onMore }: MoreRowsProps) {
  const { t } = useTexts("ui");
  const count = useRef<HTMLParagraphElement>(null);
  const isAsked = useRef(false);
  useEffect(() => {
    // With the last page the button goes, and the focus would be nowhere.
    if (isAsked.current && !hasMore && document.activeElement === document.body) count.current?.focus();
    if (!loading) isAsked.current = false;
  }, [hasMore, loading]);
  const ask = () => {
    if (loading) return;
    isAsked.current = true;
    onMore();
  };
  return (
    <Group justify="center" gap="md">
      <Text size="sm" c="dimmed" aria-live="polite" ref={count} tabIndex={-1}>
        {t("shown", { count: shown })}
      </Text>
      {hasMore && (
        // One that is disabled would lose the focus.
        <Button
          variant="default"
          size="xs"
          aria-disabled={loading}
          rightSection={loading && <Loader size={12} />}
          onClick={ask}
        >
          {t("more")}
        </Button>
      )}
    </Group>
  );
}
