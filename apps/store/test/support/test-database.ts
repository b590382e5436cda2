import { randomBytes } from "node:crypto";
import pg from "pg";

const superuserUrl = (): string => {
  const url = process.env.TILLGATE_TEST_POSTGRES_URL;
  if (!url) throw new Error("TILLGATE_TEST_POSTGRES_URL is not set: run the integration project of Vitest.");
  return url;
};

async function run(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export type TestDatabase = {
  url: string;
  drop(): Promise<void>;
};

/** Creates an empty database for one test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `store_${randomBytes(6).toString("hex")}`;
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(superuserUrl());
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}
