import type pg from "pg";

/**
 * Lets no broken connection of a pool end the process. A pool listens to idle connections only: one that breaks between two
 * queries of a transaction (the server was killed) tells so by an event that would end the process if nobody listened; its next
 * query fails, and that is handled.
 * @param onIdleError told about connections that break while idle; the pool replaces them.
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
