/**
 * Reference server of the benchmark: Express routes that run one `pg` statement each, in a separate process like the API. Prints its port when it
 * listens.
 */
import { randomUUID } from "node:crypto";
import express from "express";
import pg from "pg";

const [databaseUrl] = process.argv.slice(2);
if (databaseUrl === undefined) throw new Error("The database URL is missing.");

/** As many connections as the API's pool. */
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
await pool.query(
  `CREATE SCHEMA IF NOT EXISTS bench_reference;
   CREATE TABLE IF NOT EXISTS bench_reference.orders (
     id uuid PRIMARY KEY, reference text, amount bigint NOT NULL, currency text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp())`,
);
const app = express();
app.disable("x-powered-by");
app.use(express.json());
app.post("/orders", async (request, response) => {
  const { reference, currency } = request.body;
  const { rows } = await pool.query(
    "INSERT INTO bench_reference.orders (id, reference, amount, currency) VALUES ($1, $2, 1250, $3) RETURNING *",
    [randomUUID(), reference, currency],
  );
  response.json({ data: rows[0] });
});
app.get("/orders/:id", async (request, response) => {
  const { rows } = await pool.query("SELECT * FROM bench_reference.orders WHERE id = $1", [
    request.params.id,
  ]);
  response.status(rows.length === 1 ? 200 : 404).json({ data: rows[0] });
});
const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(address.port);
});
process.once("SIGTERM", () => process.exit(0));
