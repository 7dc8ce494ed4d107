/** The conversation time of a call. It is the first 48 bits of the id, in milliseconds. */
export const callTime = (callId: string): string =>
  new Date(Number.parseInt(callId.replace("-", "").slice(0, 12), 16)).toISOString();
