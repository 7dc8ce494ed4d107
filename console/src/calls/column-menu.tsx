import { useTexts } from "../i18n/use-texts.ts";
import { DropDown } from "../ui/drop-down.tsx";
import { Icon } from "../ui/icon.tsx";
import { ColumnChoices, type ColumnChoicesProps } from "./column-choices.tsx";

/** A button that opens which columns there are. */
export function ColumnMenu(props: ColumnChoicesProps) {
  const { t } = useTexts("calls");
  return (
    <DropDown
      label={t("columns")}
      width={320}
      position="bottom-end"
      variant="default"
      leftSection={<Icon name="columns" />}
    >
      {() => <ColumnChoices {...props} />}
    </DropDown>
  );
}
