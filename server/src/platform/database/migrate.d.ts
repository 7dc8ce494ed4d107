/** Runs the migrations that this database has not seen. Several processes may call it at once. */
export declare function migrate(ownerUrl: string): Promise<string[]>;
