const form = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Before every other: where going through all of them begins. */
export const lowestUuid = "00000000-0000-0000-0000-000000000000";

/** Whether it is an id as we write them: a UUID in lower case. */
export const isUuid = (text: string) => form.test(text);
