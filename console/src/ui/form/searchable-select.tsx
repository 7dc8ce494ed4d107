import { Select, type SelectProps } from "@mantine/core";
import type { SyntheticEvent } from "react";

const selectText = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => currentTarget.select();

/** Select with a search. Always has a value; typing replaces its text. */
export function SearchableSelect(props: SelectProps) {
  return (
    <Select
      searchable
      allowDeselect={false}
      openOnFocus={false}
      onFocus={selectText}
      // A click sets the cursor after the focus.
      onClick={selectText}
      {...props}
    />
  );
}
