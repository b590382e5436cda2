import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiProcess } from "../../../support/api-process.js";
import { openPage } from "../../../support/checkout.js";
import { createOrder, getOrder, tokenOf } from "../../../support/orders.js";
import { merchantIdOf } from "../../../support/parties.js";
import { settleRefund } from "../../../support/partner.js";
import { type Answer, type PayApi, payApi, told } from "../../../support/requests.js";
import { eventsOf, expectEventsOfTheContract } from "../../../support/rows.js";
import { openSandbox, type Sandbox } from "../../../support/sandbox.js";

let sandbox: Sandbox;
let processes: [ApiProcess, ApiProcess];
let apis: [PayApi, PayApi];

beforeAll(async () => {
  sandbox = await openSandbox();
  processes = [await sandbox.startApi(), await sandbox.startApi()];
  const { merchant } = sandbox.access;
  apis = [payApi(processes[0], merchant), payApi(processes[1], merchant)];
});
afterAll(async () => {
  await expectEventsOfTheContract(sandbox);
  await sandbox.close();
});

const turn = <Value>(pair: [Value, Value], index: number): Value => (index % 2 === 0 ? pair[0] : pair[1]);

async function payment(amount: number): Promise<{ orderId: string; trxId: string }> {
  const order = await createOrder(apis[0], { amount });
  await openPage(processes[0], tokenOf(order)).act("sandbox-approve");
  const { trx_id } = await getOrder(apis[0], order.order_id);
  if (!trx_id) throw new Error("the order was not paid");
  return { orderId: order.order_id, trxId: trx_id };
}

const statuses = (answers: Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe("payments at once over two api processes", () => {
  it.each([false, true])(
    "50 partial refunds that together exceed the payment never go beyond it (waiting for approval: %s)",
    async (waits) => {
      const merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
      const needApproval = (value: boolean) =>
        sandbox.database.prisma.merchant.update({
          where: { id: merchantId },
          data: { refundsNeedApproval: value },
        });
      const { orderId, trxId } = await payment(10);
      await needApproval(waits);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          turn(apis, index).post("/refunds", { transaction_id: trxId, amount: 0.3 }),
        ),
      );
      await needApproval(false);
      expect(statuses(answers)).toEqual({ 200: 33, 422: 17 });
      for (const answer of answers.filter(({ status }) => status === 422))
        expect(told(answer).texts).toEqual(["Refund exceeds original amount"]);
      if (waits) {
        expect(await getOrder(apis[1], orderId)).toMatchObject({
          refunded_amount: 0,
          status: "REFUND_PENDING",
        });
        const { rows } = await sandbox.database.pool.query<{ id: string }>(
          "SELECT id FROM refunds WHERE order_id = $1",
          [orderId],
        );
        await Promise.all(rows.map(({ id }) => settleRefund(sandbox, id, true)));
      }
      expect(await getOrder(apis[1], orderId)).toMatchObject({ refunded_amount: 9.9, status: "PAID" });
    },
  );

  it("cancel against pay: exactly one wins, and only its event is written", async () => {
    for (let round = 0; round < 8; round += 1) {
      const order = await createOrder(apis[0], {});
      const page = openPage(turn(processes, round), tokenOf(order));
      const { form_token } = await page.view();
      const [paid, cancelled] = await Promise.all([
        page.act("sandbox-approve", form_token),
        turn(apis, round + 1).post(`/orders/${order.order_id}/cancel`),
      ]);
      const { status } = await getOrder(apis[0], order.order_id);
      expect(status).toBe(cancelled.status === 200 ? "CANCELLED" : "PAID");
      expect([paid.status, cancelled.status].filter((code) => code === 200)).toHaveLength(1);
      expect(await eventsOf(sandbox, order.order_id)).toEqual([`pos.order.${status.toLowerCase()}`]);
    }
  });
});
