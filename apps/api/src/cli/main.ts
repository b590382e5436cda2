import type { Context } from "../context.js";
import { createPasswordPrompt } from "./password.js";
import { runAdmin } from "./run.js";

let opened: Context | undefined;

/** Opens the database once. Its modules are imported lazily, because help needs none of them. @throws SettingsError. */
async function open(): Promise<Context> {
  const { connect } = await import("./connect.js");
  opened ??= connect(process.env);
  return opened;
}

/** Ignores EPIPE, because the reader of the output may close the pipe early, as `head` does. */
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

process.exitCode = await runAdmin(
  process.argv.slice(2),
  { write: (text) => process.stdout.write(text), writeError: (text) => process.stderr.write(text) },
  open,
  createPasswordPrompt(process.env, process),
);
await opened?.changes.close();
await opened?.database.close();
