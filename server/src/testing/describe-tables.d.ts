import type pg from "pg";
/** The content of tables.ts: every table of the migrated database as Kysely knows it. */
export declare function describeTables(client: pg.ClientBase): Promise<string>;
