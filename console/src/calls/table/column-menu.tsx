import { DropDown } from "../../ui/form/drop-down.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useTexts } from "../texts.ts";
import { ColumnChoices, type ColumnChoicesProps } from "./column-choices.tsx";

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
