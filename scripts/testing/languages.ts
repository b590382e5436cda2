import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Tests that need a missing language are skipped. */
export const isInstalled = (program: string): Promise<boolean> =>
  promisify(execFile)(program, ["--version"]).then(
    () => true,
    () => false,
  );
