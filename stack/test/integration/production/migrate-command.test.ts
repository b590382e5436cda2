import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";

const SCRIPT = path.resolve(import.meta.dirname, "../../../../scripts/migrate.mjs");
const NAME = "tillgate_migrate_command";
const adminUrl = process.env.TILLGATE_TEST_POSTGRES_URL ?? "";

function address(role?: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${NAME}`;
  if (role !== undefined) url.username = role;
  return url.href;
}

async function administer(sql: string, connectionString = adminUrl): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function run(environment: Record<string, string>): Promise<{ code: unknown; output: string }> {
  const { DATABASE_URL: _, DATABASE_OWNER_URL: __, ...rest } = process.env;
  const child = spawn(process.execPath, [SCRIPT], { env: { ...rest, ...environment } });
  const closed = once(child, "close");
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: (await closed)[0], output: `${out}${error}` };
}

const settings = () => ({ DATABASE_OWNER_URL: address(), DATABASE_URL: address(`${NAME}_api`) });

beforeAll(async () => {
  await administer(`CREATE ROLE ${NAME}_api LOGIN`);
  await administer(`CREATE DATABASE ${NAME}`);
});
afterAll(async () => {
  await administer(`DROP DATABASE ${NAME}`);
  await administer(`DROP ROLE ${NAME}_api`);
});

it("the migrate command migrates a database, is safe to repeat, and rejects a newer database", async () => {
  expect(await run(settings())).toEqual({
    code: 0,
    output: expect.stringMatching(/^Migrations applied: \d+\.\n$/),
  });
  expect(await run(settings())).toEqual({ code: 0, output: "The database is up to date.\n" });
  await administer(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ('9999', 'x', '9999_of_tomorrow', now(), now(), 1)`,
    address(),
  );
  expect(await run(settings())).toEqual({ code: 1, output: expect.stringContaining("9999_of_tomorrow") });
});

it("the migrate command rejects an API role that owns the tables, and a missing URL", async () => {
  const one = await run({ DATABASE_OWNER_URL: address(), DATABASE_URL: address() });
  expect(one).toEqual({ code: 1, output: expect.stringContaining("must name different roles") });
  const none = await run({ DATABASE_URL: address() });
  expect(none).toEqual({ code: 1, output: expect.stringContaining("Set DATABASE_OWNER_URL") });
});
