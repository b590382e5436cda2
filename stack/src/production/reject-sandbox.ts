import { existsSync } from "node:fs";
import path from "node:path";
import { withConnection } from "@tillgate/migrate";
import { queryFirstRow } from "@tillgate/service";
import { z } from "zod";
import { StackError } from "../stack-error.js";

/** Only `npm start` writes these files. */
const SANDBOX_FILES = ["sandbox.json", "accounts.json"];
/** `npm start` prints the passwords of these seeded administrators. */
const SANDBOX_ADMINISTRATORS = ["administrator@example.com", "second.administrator@example.com"];

/** @throws StackError if the folder contains a sandbox: its secrets were printed, and are stored in plain text. */
export function rejectSandboxFolder(dataDirectory: string): void {
  const found = SANDBOX_FILES.find((name) => existsSync(path.join(dataDirectory, name)));
  if (found === undefined) return;
  throw new StackError(
    `${dataDirectory} contains a sandbox (${found}), whose secrets were printed to a terminal. Use a separate folder for production.`,
  );
}

/**
 * @param owner URL of the API's database, with the role that owns it. The database need not be migrated yet.
 * @throws StackError if the database was seeded as a sandbox.
 */
export async function rejectSandboxDatabase(owner: string): Promise<void> {
  return await withConnection({ connectionString: owner }, async (client) => {
    const table = await queryFirstRow(
      client,
      z.object({ is: z.boolean() }),
      "SELECT to_regclass('public.console_users') IS NOT NULL AS is",
    );
    if (!table?.is) return;
    const found = await queryFirstRow(
      client,
      z.object({ email: z.string() }),
      "SELECT email FROM console_users WHERE email = ANY ($1) LIMIT 1",
      [SANDBOX_ADMINISTRATORS],
    );
    if (found)
      throw new StackError(
        `The database was seeded as a sandbox (${found.email}): its passwords were printed to a terminal. Use an empty database for production.`,
      );
  });
}
