import { DropDown } from "../../ui/form/drop-down.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type ContentsProps, FilterContents } from "./filter-contents.tsx";

interface FilterMenuProps extends Omit<ContentsProps, "close"> {
  readonly label: string;
  readonly chosen: number;
  readonly width?: number;
}

/** Button that opens a filter menu. */
export function FilterMenu({ label, chosen, width = 280, ...props }: FilterMenuProps) {
  return (
    <DropDown
      label={chosen > 1 ? `${label} (${chosen})` : label}
      variant={chosen > 0 ? "light" : "default"}
      width={width}
      size="sm"
      px="sm"
      fw={500}
      rightSection={<Icon name="chevronDown" size={14} />}
    >
      {(close) => <FilterContents {...props} close={close} />}
    </DropDown>
  );
}
