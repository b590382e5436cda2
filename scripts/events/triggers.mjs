/** @type {Record<string, { about: string, run: (actions: object) => Promise<string> }>} */
export const TRIGGERS = {
  "pos.order.paid": {
    about: "creates an order and approves its payment",
    run: async ({ createOrder, payOrder }) => (await payOrder(await createOrder())).order_id,
  },
  "pos.order.expired": {
    about: "creates an order and lets it expire",
    run: async ({ createOrder, pay }) =>
      (await pay.orders.simulate((await createOrder()).order_id, "expired")).order_id,
  },
  "pos.order.cancelled": {
    about: "creates an order and cancels it",
    run: async ({ createOrder, pay }) => (await pay.orders.cancel((await createOrder()).order_id)).order_id,
  },
  "pos.order.refunded": {
    about: "refunds a paid order in full; also sends pos.order.paid and refund.completed",
    async run({ createOrder, payOrder, refund }) {
      const order = await payOrder(await createOrder());
      return (await refund(order)).refund_id;
    },
  },
  "refund.completed": {
    about: "refunds a paid order in part; also sends pos.order.paid",
    async run({ createOrder, payOrder, refund }) {
      const order = await payOrder(await createOrder());
      return (await refund(order, "1.00")).refund_id;
    },
  },
  "refund.failed": {
    about: "rejects a refund that needs approval; also sends pos.order.paid",
    async run({ createOrder, payOrder, refund, withRefundApproval, admin, by }) {
      const order = await payOrder(await createOrder());
      const { refund_id: id } = await withRefundApproval(() => refund(order, "1.00"));
      await admin("refunds", "reject", id, "--reason", "npm run trigger", ...by);
      return id;
    },
  },
  "payout.completed": {
    about: "pays out to a sandbox shopper; sent to endpoints and npm run listen",
    run: async ({ payOut }) => (await payOut()).payout_id,
  },
  "payout.failed": {
    about: "fails a pending payout; sent to endpoints and npm run listen",
    async run({ payOut, pay: { testControls } }) {
      await testControls.create({ control: "payout_waits" });
      const { payout_id: id } = await payOut();
      return (await testControls.decidePayout(id, "failed")).payout_id;
    },
  },
};
