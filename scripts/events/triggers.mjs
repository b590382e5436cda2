/**
 * What makes each event happen in the running sandbox.
 * @type {Record<string, { about: string, run: (actions: object) => Promise<string> }>}
 */
export const TRIGGERS = {
  "pos.order.paid": {
    about: "creates an order and approves its payment",
    run: async ({ createOrder, payOrder }) => (await payOrder(await createOrder())).order_id,
  },
  "pos.order.expired": {
    about: "creates an order and lets its time run out",
    run: async ({ createOrder, pay }) =>
      (await pay.orders.simulate((await createOrder()).order_id, "expired")).order_id,
  },
  "pos.order.cancelled": {
    about: "creates an order and cancels it",
    run: async ({ createOrder, pay }) => (await pay.orders.cancel((await createOrder()).order_id)).order_id,
  },
  "pos.order.refunded": {
    about: "refunds all of a paid order; tells pos.order.paid and refund.completed too",
    async run({ createOrder, payOrder, refund }) {
      const order = await payOrder(await createOrder());
      return (await refund(order)).refund_id;
    },
  },
  "refund.completed": {
    about: "refunds a part of a paid order; tells pos.order.paid too",
    async run({ createOrder, payOrder, refund }) {
      const order = await payOrder(await createOrder());
      return (await refund(order, "1.00")).refund_id;
    },
  },
  "refund.failed": {
    about: "lets a refund wait for approval and rejects it; tells pos.order.paid too",
    async run({ createOrder, payOrder, refund, whileRefundsWait, admin, by }) {
      const order = await payOrder(await createOrder());
      const { refund_id: id } = await whileRefundsWait(() => refund(order, "1.00"));
      await admin("refunds", "reject", id, "--reason", "npm run trigger", ...by);
      return id;
    },
  },
  "payout.completed": {
    about: "pays out to one of the sandbox's shoppers; goes to endpoints and npm run listen",
    run: async ({ payOut }) => (await payOut()).payout_id,
  },
  "payout.failed": {
    about: "lets a payout wait, and fail; goes to endpoints and npm run listen",
    async run({ payOut, pay: { testControls } }) {
      await testControls.create({ control: "payout_waits" });
      const { payout_id: id } = await payOut();
      return (await testControls.decidePayout(id, "failed")).payout_id;
    },
  },
};
