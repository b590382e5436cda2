import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Whether a language's program is here. `npm test` installs PHP and Python where it can; a test that needs one skips where it could not. */
export const isInstalled = (program: string): Promise<boolean> =>
  promisify(execFile)(program, ["--version"]).then(
    () => true,
    () => false,
  );
