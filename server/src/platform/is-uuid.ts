const form = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Sorts before every other id: the start of a scan. */
export const lowestUuid = "00000000-0000-0000-0000-000000000000";

/** Whether the text is a lowercase UUID. */
export const isUuid = (text: string) => form.test(text);
