import type { ApiProcess } from "./api-process.js";
import { addPartner, type PartnerApi, partnerApi } from "./partner.js";
import { type Payments, paymentsOf } from "./payments.js";
import { type PayApi, payApi } from "./requests.js";
import { expectEventsOfTheContract } from "./rows.js";
import { openSandbox, type Sandbox } from "./sandbox.js";

/** One process, and a caller of each API by which something is written. */
export type WritingApis = {
  sandbox: Sandbox;
  server: ApiProcess;
  api: PayApi;
  payments: Payments;
  partner: PartnerApi;
  /** Ends, and compares the events with the contract. */
  close(): Promise<void>;
};

export async function openWritingApis(): Promise<WritingApis> {
  const sandbox = await openSandbox();
  const server = await sandbox.startApi();
  const { merchant } = sandbox.access;
  return {
    sandbox,
    server,
    api: payApi(server, merchant),
    payments: await paymentsOf(server, merchant),
    partner: partnerApi(server, (await addPartner(sandbox, { wallets: { EUR: 1_000_000n } })).token),
    async close() {
      await expectEventsOfTheContract(sandbox);
      await sandbox.close();
    },
  };
}
