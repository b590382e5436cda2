import { randomUUID } from "node:crypto";
import { withConnection } from "@tillgate/migrate";

const REPORT = "INSERT INTO backup_reports (id, error) VALUES ($1, $2)";

/**
 * Writes into the database how its backup went: the console's health page and the metrics tell it.
 * @param url the api's database, as a role that may write there.
 * @param error why it is not good; null: it was taken, restored and proved.
 */
export async function reportBackup(url: string, error: string | null): Promise<void> {
  return await withConnection({ connectionString: url }, async (client) => {
    await client.query(REPORT, [randomUUID(), error]);
  });
}
