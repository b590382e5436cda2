import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Returns whether a language's interpreter is installed. Tests that need a missing interpreter are skipped. */
export const isInstalled = (program: string): Promise<boolean> =>
  promisify(execFile)(program, ["--version"]).then(
    () => true,
    () => false,
  );
