import { ActionIcon, Button, Fieldset, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { nameQueries } from "../reviews/people/names.ts";
import { IntegerField } from "../ui/form/integer-field.tsx";
import { SearchableSelect } from "../ui/form/searchable-select.tsx";
import { Icon } from "../ui/icon.tsx";
import { defaultCapacity, type ReviewerRow } from "./plan-form.ts";
import { useTexts } from "./texts.ts";

interface ReviewerFieldsProps {
  readonly reviewers: readonly ReviewerRow[];
  readonly onChange: (reviewers: readonly ReviewerRow[]) => void;
}

const maxReviewers = 200;

/** Who reviews, and how many reviews each has time for. */
export function ReviewerFields({ reviewers, onChange }: ReviewerFieldsProps) {
  const { t } = useTexts();
  const { data: staff = [] } = useQuery(nameQueries.staff);
  const people = staff.filter(({ status }) => status !== "deactivated");
  const set = (index: number, part: Partial<ReviewerRow>) =>
    onChange(reviewers.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const isTaken = (id: string, index: number) => reviewers.some(({ userId }, at) => userId === id && at !== index);
  return (
    <Fieldset legend={t("reviewers")} p="sm">
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t("reviewersDetail")}
        </Text>
        {reviewers.map(({ userId, capacity }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
          <Group key={index} gap="xs" wrap="nowrap" align="flex-end">
            <SearchableSelect
              {...(index === 0
                ? { label: t("reviewer") }
                : { "aria-label": t("reviewerNumber", { number: index + 1 }) })}
              placeholder={t("choosePerson")}
              required
              flex={1}
              nothingFoundMessage={t("nobodyFound")}
              data={people.filter(({ id }) => !isTaken(id, index)).map(({ id, name }) => ({ value: id, label: name }))}
              value={userId}
              onChange={(id) => set(index, { userId: id })}
            />
            <IntegerField
              {...(index === 0
                ? { label: t("capacity") }
                : { "aria-label": t("capacityNumber", { number: index + 1 }) })}
              required
              min={1}
              max={1000}
              w={{ base: 76, sm: 110 }}
              value={capacity}
              onChange={(value) => set(index, { capacity: value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              disabled={reviewers.length === 1}
              aria-label={t("removeReviewer", { number: index + 1 })}
              onClick={() => onChange(reviewers.filter((_, at) => at !== index))}
            >
              <Icon name="trash" size={16} />
            </ActionIcon>
          </Group>
        ))}
        {reviewers.length < Math.min(maxReviewers, Math.max(1, people.length)) && (
          <div>
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => onChange([...reviewers, { userId: null, capacity: defaultCapacity }])}
            >
              {t("addReviewer")}
            </Button>
          </div>
        )}
      </Stack>
    </Fieldset>
  );
}
