import { afterAll } from "vitest";
import type { ApiOptions, ApiProcess } from "./api-process.js";
import { merchantIdOf } from "./parties.js";
import { type PayApi, payApi } from "./requests.js";
import { openSandbox, type Sandbox } from "./sandbox.js";

/** Creates the sandbox of a test file; it is closed, with the ledger proved, after the last test. */
export async function createTestSandbox(): Promise<Sandbox> {
  const sandbox = await openSandbox();
  // Hooks run in reverse order, so the file's own resources are closed first.
  afterAll(() => sandbox.close());
  return sandbox;
}

/** A sandbox, an API on it, and the merchant's Pay API client in sandbox mode. */
export type TestApi = { sandbox: Sandbox; server: ApiProcess; api: PayApi; merchantId: string };

/** Creates the sandbox and api of a test file; call it at the top level. */
export async function createTestApi(options: ApiOptions = {}): Promise<TestApi> {
  const sandbox = await createTestSandbox();
  const server = await sandbox.startApi(options);
  const { merchant } = sandbox.access;
  return {
    sandbox,
    server,
    api: payApi(server, merchant),
    merchantId: await merchantIdOf(sandbox, merchant.client_id),
  };
}
