/**
 * Prints the SQL that migrates an earlier version of schema.prisma, from standard input, to the current one:
 * `git show HEAD:./prisma/schema.prisma | DATABASE_URL=… node scripts/print-migration.mjs`
 */
import { text } from "node:stream/consumers";
import { schemaScript } from "./schema-script.mjs";

const { DATABASE_URL: url } = process.env;
if (!url) throw new Error("Set DATABASE_URL to the URL of any PostgreSQL server.");
console.log(await schemaScript(url, await text(process.stdin)));
process.exit(0);
