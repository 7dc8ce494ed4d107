import { DropDown } from "../ui/form/drop-down.tsx";
import { Icon } from "../ui/icon.tsx";
import { ColumnChoices, type ColumnChoicesProps } from "./column-choices.tsx";
import { useTexts } from "./texts.ts";

export function ColumnMenu(props: ColumnChoicesProps) {
  const { t } = useTexts();
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
