import type { TestApp } from "./test-app.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Returns a function that sends JSON requests with an API key. */
export function openJsonClient({ api }: Pick<TestApp, "api">, apiKey: string) {
  return async (
    method: Method,
    url: string,
    body?: unknown,
    key = apiKey,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await api.inject({
      method,
      url,
      headers: { "x-api-key": key, ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const json = (answer.headers["content-type"] ?? "").toString().includes("json");
    return { status: answer.statusCode, body: json ? answer.json() : answer.body };
  };
}

interface Entry {
  readonly action: string;
  readonly actor_type: string;
  readonly subject_id: string;
  readonly data: unknown;
}

/** Returns the audit entries that some work adds. */
export async function auditOf({ admin }: Pick<TestApp, "admin">, work: () => Promise<unknown>): Promise<Entry[]> {
  const { rows } = await admin.query("select coalesce(max(number), 0) as last from audit_entry");
  await work();
  const entries = await admin.query<Entry>(
    "select action, actor_type, subject_id, data from audit_entry where number > $1 order by number",
    [rows[0].last],
  );
  return entries.rows;
}
