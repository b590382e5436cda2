import { afterAll } from "vitest";
import type { ApiOptions, ApiProcess } from "./api-process.js";
import { merchantIdOf } from "./parties.js";
import { type PayApi, payApi } from "./requests.js";
import { openSandbox, type Sandbox } from "./sandbox.js";

export async function createTestSandbox(): Promise<Sandbox> {
  const sandbox = await openSandbox();
  // Hooks run in reverse order, so the file's own resources are closed first.
  afterAll(() => sandbox.close());
  return sandbox;
}

export type TestApi = { sandbox: Sandbox; server: ApiProcess; api: PayApi; merchantId: string };

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
