import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

/**
 * Changes something, and asks again for everything of its kind. `onDone` is called also when the form was closed meanwhile:
 * an answer may hold a secret that is shown this once, and is gone from the page's memory with the dialog that shows it.
 */
export function useChange<Input, Answer>(
  queryKey: QueryKey,
  mutationFn: (input: Input) => Promise<Answer>,
  onDone?: (answer: Answer, input: Input) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess(answer, input) {
      onDone?.(answer, input);
      return queries.invalidateQueries({ queryKey });
    },
    gcTime: 0,
  });
}
