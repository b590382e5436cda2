import pg from "pg";

/** Returns the superuser's URL of the PostgreSQL server that the test run started. */
export function adminUrl(): string {
  const url = process.env.TILLGATE_TEST_POSTGRES_URL;
  if (!url) throw new Error("TILLGATE_TEST_POSTGRES_URL is not set: run the tests from the root.");
  return url;
}

/** Runs one statement on a separate connection. */
export async function query(
  connectionString: string,
  sql: string,
  values: unknown[] = [],
): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
