import { setTimeout as delay } from "node:timers/promises";
import { withConnection } from "@tillgate/migrate";
import { expect, it } from "vitest";
import { adminUrl } from "./server.js";

// Without a listener, pg's `error` event would end the process. Vitest would report it as an unhandled error.
it("withConnection fails only the next query, not the process, after the server closes the connection", async () => {
  const connectionString = adminUrl();
  const broken = withConnection({ connectionString }, async (client) => {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await withConnection({ connectionString }, (other) =>
      other.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]),
    );
    await delay(100);
    await client.query("SELECT 1");
  });
  await expect(broken).rejects.toThrow(/not queryable|terminat/i);
});
