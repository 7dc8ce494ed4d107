import { ServiceError } from "@hearback/sdk";

/** The request had texts, and its call was erased: it can be sent again without them. */
export const isCallErased = (error: unknown): boolean => error instanceof ServiceError && error.code === "call_erased";
