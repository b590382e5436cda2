import { createOrder, cycle } from "../calls.js";
import { type CpuTime, compareCpu, findListeningPid, hasCpuAccounting } from "../cpu.js";
import { payDirectly, payOutDirectly } from "../direct-calls.js";
import type { Figure, Result } from "../figure.js";
import { type Call, callWithEach, sendRequests } from "../load.js";
import { startReference } from "../reference.js";
import { startSecondApi } from "../second-api.js";
import { pickSize } from "../sized.js";
import { roundToCents } from "../statistics.js";
import { REFERENCE_ORDER } from "./orders.js";
import { createPaymentUrls } from "./page.js";
import { makeConfirms, makeIds } from "./payments.js";
import { createPayoutCalls } from "./payouts.js";

/** Enough calls for the kernel's resolution of CPU time (10 ms), even in a short run, whose rows are compared with the baseline. */
const LENGTH = { calls: 640, rounds: pickSize(5, 1) };

/** Compares CPU time per call with that of the references, so the rows are comparable between machines and hardly affected by load. */
export const cpu: Figure = {
  name: "cpu",
  async measure(system) {
    if (!hasCpuAccounting) return [];
    const { pool, merchants, shoppers } = system;
    const merchant = cycle(merchants);
    const shopper = cycle(shoppers);
    const reference = await startReference(system.ownerUrl);
    const api = await startSecondApi(system, { TILLGATE_HTTP_PROCESSES: "1" });
    const second = { ...system, sandbox: { ...system.sandbox, api: api.origin } };
    const http = (origin: string, next: () => Call, status?: number) => (amount: number) =>
      sendRequests({ origin, next, ...(status === undefined ? {} : { status }) }, { amount });
    try {
      const compared = await compareCpu(
        pool,
        {
          ours: { pids: [api.pid], call: http(api.origin, () => createOrder(merchant())) },
          theirs: { pids: [reference.pid], call: http(reference.origin, () => REFERENCE_ORDER) },
        },
        LENGTH,
      );
      const paidOut = await compareCpu(
        pool,
        {
          ours: { pids: [api.pid], call: http(api.origin, await createPayoutCalls(second, merchants)) },
          theirs: {
            pids: [process.pid],
            call: (amount) =>
              callWithEach(Array(amount).fill(true), () => payOutDirectly(pool, merchant(), shopper())),
          },
        },
        LENGTH,
      );
      let confirms: Call[] = [];
      let ids: string[] = [];
      const paid = await compareCpu(
        pool,
        {
          ours: {
            pids: [api.pid],
            prepare: async (amount) => {
              confirms = await makeConfirms(second, merchant, shopper, amount);
            },
            call: (amount) => http(api.origin, cycle(confirms))(amount),
          },
          theirs: {
            pids: [process.pid],
            prepare: async (amount) => {
              ids = await makeIds(second, merchant, amount);
            },
            call: () => callWithEach(ids, (id) => payDirectly(pool, id, shopper())),
          },
        },
        LENGTH,
      );
      const url = cycle(await createPaymentUrls(system));
      const { origin } = new URL(url());
      const pids = [origin, system.sandbox.api].map(findListeningPid);
      const viewed = await compareCpu(
        pool,
        {
          ours: { pids, call: http(origin, () => ({ method: "GET", path: new URL(url()).pathname })) },
          theirs: { pids, call: http(origin, () => ({ method: "GET", path: "/pay/none" }), 404) },
        },
        LENGTH,
      );
      return [
        toResult("POST /orders", compared, "Express + one INSERT"),
        toResult("POST /payout", paidOut, "execute_payouts called with pg, one at a time"),
        toResult("paying an order", paid, "pay_orders called with pg, one at a time"),
        toResult("hosted page", viewed, "page without an order of the same build"),
      ];
    } finally {
      await Promise.all([reference.stop(), api.stop()]);
    }
  },
};

const addUp = ({ programs, postgres }: CpuTime): number => programs + postgres;
const formatCpu = ({ programs, postgres }: CpuTime): string =>
  `${programs.toFixed(2)} + PostgreSQL ${postgres.toFixed(2)} ms`;

const toResult = (
  title: string,
  { ours, theirs }: Record<"ours" | "theirs", CpuTime>,
  reference: string,
): Result => ({
  what: `${title}, CPU a call`,
  measured: formatCpu(ours),
  reference: `${formatCpu(theirs)} ${reference}`,
  value: roundToCents(addUp(theirs) / addUp(ours)),
});
