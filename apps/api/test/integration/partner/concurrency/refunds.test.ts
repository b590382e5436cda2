import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiProcess } from "../../../support/api-process.js";
import { callConcurrently, countResponses } from "../../../support/concurrent-calls.js";
import { createPaidOrder, getOrder, REFUND_CREATED } from "../../../support/orders.js";
import { merchantIdOf } from "../../../support/parties.js";
import { decideRefund } from "../../../support/partner.js";
import { type PayApi, payApi } from "../../../support/requests.js";
import { expectValidEvents } from "../../../support/rows.js";
import { createTestSandbox } from "../../../support/test-api.js";

let processes: [ApiProcess, ApiProcess];
let apis: [PayApi, PayApi];

const sandbox = await createTestSandbox();
beforeAll(async () => {
  processes = [await sandbox.startApi(), await sandbox.startApi()];
  const { merchant } = sandbox.access;
  apis = [payApi(processes[0], merchant), payApi(processes[1], merchant)];
});
afterAll(() => expectValidEvents(sandbox));

describe("concurrent refunds in two processes", () => {
  it.each([false, true])(
    "do not exceed the payment, even with 50 partial refunds (approval required: %s)",
    async (waits) => {
      const merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
      const needApproval = (value: boolean) =>
        sandbox.database.prisma.merchant.update({
          where: { id: merchantId },
          data: { refundsNeedApproval: value },
        });
      const { orderId, trxId } = await createPaidOrder(processes[0], apis[0], { amount: 10 });
      await needApproval(waits);
      const responses = await callConcurrently(apis, 50, (api) =>
        api.post("/refunds", { transaction_id: trxId, amount: 0.3 }),
      );
      await needApproval(false);
      expect(countResponses(responses)).toEqual({
        [`200 ${REFUND_CREATED}`]: 33,
        "422 Refund exceeds original amount": 17,
      });
      if (waits) {
        expect(await getOrder(apis[1], orderId)).toMatchObject({
          refunded_amount: 0,
          status: "REFUND_PENDING",
        });
        const { rows } = await sandbox.database.pool.query<{ id: string }>(
          "SELECT id FROM refunds WHERE order_id = $1",
          [orderId],
        );
        await Promise.all(rows.map(({ id }) => decideRefund(sandbox, id, true)));
      }
      expect(await getOrder(apis[1], orderId)).toMatchObject({ refunded_amount: 9.9, status: "PAID" });
    },
  );
});
