import type { ApiProcess } from "./api-process.js";
import { addPartner, type PartnerApi, partnerApi } from "./partner.js";
import { type PaymentApi, paymentApi } from "./payments.js";
import { type PayApi, payApi } from "./requests.js";
import { expectValidEvents } from "./rows.js";
import { openSandbox, type Sandbox } from "./sandbox.js";

export type ApiClients = {
  sandbox: Sandbox;
  server: ApiProcess;
  api: PayApi;
  payments: PaymentApi;
  partner: PartnerApi;
  /** Verifies the events, and closes the sandbox. */
  close(): Promise<void>;
};

export async function openApiClients(): Promise<ApiClients> {
  const sandbox = await openSandbox();
  const server = await sandbox.startApi();
  const { merchant } = sandbox.access;
  return {
    sandbox,
    server,
    api: payApi(server, merchant),
    payments: await paymentApi(server, merchant),
    partner: partnerApi(server, (await addPartner(sandbox, { wallets: { EUR: 1_000_000n } })).token),
    async close() {
      await expectValidEvents(sandbox);
      await sandbox.close();
    },
  };
}
