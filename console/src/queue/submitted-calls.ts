/** Calls whose review is being submitted. They are still open on the server, and must not be offered again. */
const calls = new Set<string>();

export const isBeingSubmitted = (callId: string): boolean => calls.has(callId);

export async function whileSubmitting<Result>(callId: string, submit: () => Promise<Result>): Promise<Result> {
  calls.add(callId);
  try {
    return await submit();
  } finally {
    calls.delete(callId);
  }
}
