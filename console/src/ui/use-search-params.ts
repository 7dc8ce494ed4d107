import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

type Params = Readonly<Record<string, string | readonly string[] | undefined>>;

/** List state in the URL, so that it can be shared and restored. */
export function useSearchParams() {
  const params = useSearch({ strict: false }) as Params;
  const navigate = useNavigate();
  /** Merges parameters. undefined removes one. */
  const change = useCallback(
    (changes: Params) =>
      void navigate({ to: ".", search: (before: Params) => ({ ...before, ...changes }), replace: true }),
    [navigate],
  );
  /** Value of a parameter, if allowed. */
  const choice = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === params[name]);
  return { params, choice, change };
}
