import { existsSync } from "node:fs";
import path from "node:path";
import { root } from "../bootstrap/project.mjs";
import { CommandError } from "./command.mjs";

/**
 * Runs a program that needs the built packages, and tells in one line what a person at the terminal can mend.
 * @param {() => Promise<{ run(words: string[]): Promise<unknown> }>} load
 * @param {string[]} words
 */
export async function runBuilt(load, words) {
  try {
    if (!existsSync(path.join(root, "packages/client/dist/index.js")))
      throw new CommandError("Not built yet: run npm run build.");
    await (await load()).run(words);
  } catch (error) {
    console.error(sentenceOf(error));
    process.exitCode = 1;
  }
}

/** By name, as the client's own classes are not loaded before it is built. */
function sentenceOf(error) {
  if (error instanceof CommandError) return error.message;
  if (error?.name === "TillgateConnectionError")
    return `The api does not answer (${error.message}). Is npm start running?`;
  if (error?.name === "TillgateApiError")
    return `The api refuses (${error.status}): ${error.messages.join(" ")}`;
  return error?.stack ?? String(error);
}
