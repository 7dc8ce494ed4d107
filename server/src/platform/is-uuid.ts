const form = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Whether it is an id as we write them: a UUID in lower case. */
export const isUuid = (text: string) => form.test(text);
