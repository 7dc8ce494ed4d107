import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

type Params = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The state of a list, which lives in the address bar: it can be sent to somebody, and the way back leads to it. */
export function useSearchParams() {
  const params = useSearch({ strict: false }) as Params;
  const navigate = useNavigate();
  /** Takes over what is given; undefined takes it out. */
  const change = useCallback(
    (changes: Params) =>
      void navigate({ to: ".", search: (before: Params) => ({ ...before, ...changes }), replace: true }),
    [navigate],
  );
  /** What is there under this name, if it is one of these. */
  const choice = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === params[name]);
  return { params, choice, change };
}
