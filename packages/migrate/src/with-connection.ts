import pg from "pg";

/**
 * Opens one connection, does `work` on it and closes it. A connection that breaks between two queries is reported by the
 * next query: pg emits an event as well, which would end the process if nothing listened.
 * @throws what connecting or `work` throws.
 */
export async function withConnection<Result>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(config);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
