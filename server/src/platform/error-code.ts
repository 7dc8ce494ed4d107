/** The code of a system error (such as ENOENT) or of a PostgreSQL error (its SQLSTATE). */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

export const hasErrorCode = (error: unknown, ...codes: readonly string[]): boolean => {
  const code = errorCode(error);
  return code !== undefined && codes.includes(code);
};
