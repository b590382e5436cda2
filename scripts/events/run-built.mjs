import { existsSync } from "node:fs";
import path from "node:path";
import { root } from "../bootstrap/project.mjs";
import { CommandError } from "./command.mjs";

/** Runs a program that needs the built packages. Errors that the user can fix are printed as one line. */
export async function runBuilt(load, commandLine) {
  try {
    if (!existsSync(path.join(root, "packages/client/dist/index.js")))
      throw new CommandError("Tillgate is not built yet. Run npm run build.");
    await (await load()).run(commandLine);
  } catch (error) {
    console.error(toMessage(error));
    process.exitCode = 1;
  }
}

/** Returns the message for the user. Matches errors by name, because the client's classes can be imported only once the client is built. */
function toMessage(error) {
  if (error instanceof CommandError) return error.message;
  if (error?.name === "TillgateConnectionError")
    return `The API is not reachable (${error.message}). Is npm start running?`;
  if (error?.name === "TillgateApiError")
    return `The API rejected the request (${error.status}): ${error.messages.join(" ")}`;
  if (error?.name === "TillgateResponseError") return `The API's response is not usable: ${error.message}`;
  return error?.stack ?? String(error);
}
