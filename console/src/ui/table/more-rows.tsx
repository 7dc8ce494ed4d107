import { Button, Group, Loader, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTexts } from "../texts.ts";

interface MoreRowsProps {
  readonly shown: number;
  readonly hasMore: boolean;
  readonly loading: boolean;
  readonly onMore: () => void;
}

/** Footer of a paginated list. */
export function MoreRows({ shown, hasMore, loading, onMore }: MoreRowsProps) {
  const { t } = useTexts();
  const count = useRef<HTMLParagraphElement>(null);
  const isAsked = useRef(false);
  useEffect(() => {
    // The button disappears with the last page, so the count takes the focus.
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
        // aria-disabled keeps the focus; disabled would drop it.
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
