import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { MigrationError } from "./migration-error.js";

export type MigrationFile = {
  name: string;
  sql: string;
};

/** Reads migrations in the order of their names. @throws MigrationError `unreadable`; `same_number` if two migrations have the same number. */
export function readMigrations(directory: string): MigrationFile[] {
  return listFolders(directory).map((name) => {
    try {
      return { name, sql: readFileSync(path.join(directory, name, "migration.sql"), "utf8") };
    } catch (cause) {
      const message = `Migration ${name} in ${directory} has no readable migration.sql.`;
      throw new MigrationError("unreadable", message, name, { cause });
    }
  });
}

function listFolders(directory: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch (cause) {
    throw new MigrationError("unreadable", `The migrations folder ${directory} cannot be read.`, undefined, {
      cause,
    });
  }
  // Code unit order, as in Prisma; a locale's order could differ between machines.
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  rejectDuplicateNumbers(names);
  return names;
}

/** Rejects two migrations with the same number, such as from two branches, because databases could apply them in different orders. */
function rejectDuplicateNumbers(names: readonly string[]): void {
  const first = new Map<string, string>();
  for (const name of names) {
    const number = /^0*(\d+)/.exec(name)?.[1] ?? name;
    const otherName = first.get(number);
    if (otherName !== undefined)
      throw new MigrationError(
        "same_number",
        `Migrations ${otherName} and ${name} have the same number. Renumber one of them.`,
        name,
      );
    first.set(number, name);
  }
}

/** Computes the checksum as Prisma Migrate records it: SHA-256 in hex. */
export function computeChecksum(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}

/** Returns whether a script matches a recorded checksum, with LF or CRLF line endings, as in Prisma. */
export function matchesChecksum(sql: string, checksum: string): boolean {
  const unix = sql.replaceAll("\r\n", "\n");
  return [sql, unix, unix.replaceAll("\n", "\r\n")].some((script) => computeChecksum(script) === checksum);
}
