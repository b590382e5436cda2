import { afterAll } from "vitest";
import type { ApiProcess, StartApi } from "./api-process.js";
import { merchantIdOf } from "./parties.js";
import { type PayApi, payApi } from "./requests.js";
import { openSandbox, type Sandbox } from "./sandbox.js";

/** The sandbox of one test file: after its last test it is closed, with the ledger proved. */
export async function sandboxOfFile(): Promise<Sandbox> {
  const sandbox = await openSandbox();
  // Hooks end in the reverse of their order: what the file itself opens is closed before.
  afterAll(() => sandbox.close());
  return sandbox;
}

/** What most test files work with: a sandbox, an api over it, and its merchant's calls to the Pay API in sandbox mode. */
export type Scene = { sandbox: Sandbox; server: ApiProcess; api: PayApi; merchantId: string };

/** The scene of one test file, asked for at its top. */
export async function sceneOfFile(options: StartApi = {}): Promise<Scene> {
  const sandbox = await sandboxOfFile();
  const server = await sandbox.startApi(options);
  const { merchant } = sandbox.access;
  return {
    sandbox,
    server,
    api: payApi(server, merchant),
    merchantId: await merchantIdOf(sandbox, merchant.client_id),
  };
}
