import type pg from "pg";

/**
 * Keeps the process alive when a pool's connection breaks. A pool listens to idle connections only. One that breaks between
 * two queries of a transaction (the server was killed) emits an event that would end the process without a listener. Its
 * next query fails, and that is handled.
 * @param onIdleError called for connections that break while idle; the pool replaces them.
 */
export function surviveBrokenConnections(pool: pg.Pool, onIdleError: (error: Error) => void): void {
  pool.on("error", onIdleError);
  pool.on("connect", (client) => client.on("error", () => undefined));
}

/**
 * Runs `work` in one transaction on one connection: commits what it returns, rolls back what it throws.
 * @throws the error of `work`, also where the rollback fails; a connection that cannot roll back does not return to the pool.
 */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
