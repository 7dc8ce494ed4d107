import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

/**
 * Mutation that invalidates a query key on success. `onDone` also runs if the form was closed, because the response may
 * hold a secret that is shown once. gcTime 0 removes that secret from memory.
 */
export function useMutationWithInvalidate<Input, Answer>(
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
