import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import { ErrorCode } from "@tillgate/contract";
import type { PromptPassword } from "../audit/administrator.js";
import { errorWith } from "../errors.js";

type Terminal = {
  stdin: Pick<ReadStream, "isTTY"> & NodeJS.ReadableStream;
  stderr: Pick<WriteStream, "write">;
};

const wrongPasswordError = (message: string) => errorWith(ErrorCode.WrongPassword, message);

/**
 * Creates a prompt that reads the password from TILLGATE_ADMIN_PASSWORD, the file TILLGATE_ADMIN_PASSWORD_FILE or the terminal, in this order.
 * The prompt throws OperationError WrongPassword if none of them is available, the file cannot be read, or the user cancels.
 */
export const createPasswordPrompt =
  (environment: NodeJS.ProcessEnv, { stdin, stderr }: Terminal): PromptPassword =>
  async (email) => {
    const { TILLGATE_ADMIN_PASSWORD: passwordFromEnvironment, TILLGATE_ADMIN_PASSWORD_FILE: file } =
      environment;
    if (passwordFromEnvironment) return passwordFromEnvironment;
    if (file) return readPasswordFile(file);
    if (!stdin.isTTY)
      throw wrongPasswordError(
        `Password for ${email} required: set TILLGATE_ADMIN_PASSWORD or TILLGATE_ADMIN_PASSWORD_FILE, or run the command in a terminal.`,
      );
    return promptHidden(`Password for ${email}: `, { stdin, stderr });
  };

async function readPasswordFile(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trimEnd();
  } catch (error) {
    throw wrongPasswordError(
      `TILLGATE_ADMIN_PASSWORD_FILE cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Prompts at the terminal without echo. @throws OperationError WrongPassword on Ctrl-C and Ctrl-D. */
async function promptHidden(prompt: string, { stdin, stderr }: Terminal): Promise<string> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: discard, terminal: true });
  const cancellation = new AbortController();
  lines.once("SIGINT", () => cancellation.abort()).once("close", () => cancellation.abort());
  stderr.write(prompt);
  try {
    return await lines.question("", { signal: cancellation.signal });
  } catch {
    throw wrongPasswordError("No password was entered.");
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
