/** Connection settings of the engines that the global setup started. */
export interface TestEngines {
  readonly DATABASE_URL: string;
  readonly DATABASE_OWNER_URL: string;
  readonly DATABASE_ADMIN_URL: string;
  readonly S3_ENDPOINT: string;
  readonly S3_REGION: string;
  readonly S3_ACCESS_KEY_ID: string;
  readonly S3_SECRET_ACCESS_KEY: string;
  readonly S3_BUCKET: string;
  /** Folder for test files. */
  readonly dir: string;
}

export const templateDatabase = "hearback_template";

export const inDatabase = (url: string, database: string) =>
  Object.assign(new URL(url), { pathname: `/${database}` }).href;
