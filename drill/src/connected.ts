import pg from "pg";

export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, query_timeout: 60_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Counts the standbys that are streaming: the synchronous ones if `synchronous` is true, otherwise the asynchronous ones. */
export const countStandbys = (primaryUrl: string, synchronous: boolean): Promise<number> =>
  withClient(primaryUrl, async (client) => {
    const { rows } = await client.query(
      "SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = $1",
      [synchronous ? "sync" : "async"],
    );
    return rows.length;
  });
