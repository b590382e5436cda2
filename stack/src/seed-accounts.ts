import { readSandbox, type SandboxAccounts } from "./sandbox.js";
import type { Secrets } from "./secrets.js";
import { StackError } from "./stack-error.js";

type SeedOptions = {
  dataDirectory: string;
  databaseUrl: string;
  secrets: Secrets;
  report: (line: string) => void;
};

export async function seedAccounts(options: SeedOptions): Promise<SandboxAccounts> {
  await readSandbox(options.dataDirectory);
  throw new StackError("There is no seed yet.");
}
