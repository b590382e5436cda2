import type { Context } from "../context.js";
import { passwordReader } from "./password.js";
import { runAdmin } from "./run.js";

let opened: Context | undefined;

/** Opens the database, once. What is behind it is loaded then: help needs none of it. @throws SettingsError. */
async function open(): Promise<Context> {
  const { connect } = await import("./connect.js");
  opened ??= connect(process.env);
  return opened;
}

/** Whoever reads the output may stop reading, as `head` does: that is no failure, and there is nobody left to be told. */
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

process.exitCode = await runAdmin(
  process.argv.slice(2),
  { write: (text) => process.stdout.write(text), writeError: (text) => process.stderr.write(text) },
  open,
  passwordReader(process.env, process),
);
await opened?.hints.close();
await opened?.database.close();
