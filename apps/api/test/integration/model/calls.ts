import {
  checkoutActionResponseSchema,
  ErrorCode,
  type Order,
  orderResponseSchema,
  type Payout,
  payoutResponseSchema,
  type Refund,
  refundResponseSchema,
  successEnvelope,
} from "@tillgate/contract";
import type { ApiProcess } from "../../support/api-process.js";
import { openPage } from "../../support/checkout.js";
import { makeOverdue, paymentTokenOf } from "../../support/orders.js";
import { addCredential, addShopper } from "../../support/parties.js";
import {
  addPartner,
  addRecipient,
  decideRefund,
  lookUpRecipient,
  partnerApi,
} from "../../support/partner.js";
import type { ModelCall, ModelState } from "../../support/quint.js";
import { type ApiResponse, errorCodeOf, payApi } from "../../support/requests.js";
import type { Sandbox } from "../../support/sandbox.js";

/** A transaction ID that belongs to no payment. */
const UNKNOWN_TRANSACTION = "TRX-000000000000";
/** SQLSTATE of the error when a settled refund is decided again. */
const ALREADY_DECIDED = "TG044";
const REVIEW_ABOVE = 500n;

export type Kind = "order" | "refund" | "payout";
/** An order, refund or payout as seen in a response; amounts in minor units. */
type Resource = { kind: Kind; id: string; seen: Record<string, unknown> };
/** The outcome of a call as in the model, and the resource in the response. */
type Result = { outcome: string; resource?: Resource };

/** The merchant that a trace is replayed for, and the objects that the replay has created. */
export type Scene = {
  sandbox: Sandbox;
  server: ApiProcess;
  merchantId: string;
  pay: ReturnType<typeof payApi>;
  payouts: ReturnType<typeof partnerApi>;
  wallets: { payer: string; merchant: string; recipient: string };
  payer: { email: string; pin: string };
  lookup_token: string;
  /** The payer's session token, once signed in. */
  session: string | undefined;
  orders: Order[];
  /** IDs by the model's index. */
  ids: Record<Kind, string[]>;
};

/** Creates the merchant, payer and recipient of a trace. */
export async function setScene(sandbox: Sandbox, server: ApiProcess, start: ModelState): Promise<Scene> {
  const { prisma } = sandbox.database;
  const { merchant = 0, payer = 0 } = start.wallets;
  const partner = await addPartner(sandbox, {
    wallets: { EUR: BigInt(merchant) },
    terms: { EUR: { reviewAbove: REVIEW_ABOVE } },
  });
  const { merchantId } = partner;
  await prisma.merchant.update({
    where: { id: merchantId },
    data: { refundsNeedApproval: start.refundsNeedApproval },
  });
  const shopper = await addShopper(sandbox, "sandbox", BigInt(payer));
  const wallet = await prisma.account.findFirstOrThrow({ where: { walletUserId: shopper.id } });
  const recipient = await addRecipient(sandbox);
  const payouts = partnerApi(server, partner.token);
  return {
    sandbox,
    server,
    merchantId,
    pay: payApi(server, await addCredential(sandbox, merchantId, "sandbox")),
    payouts,
    wallets: {
      payer: wallet.id,
      merchant: partner.wallets.EUR ?? "",
      recipient: recipient.wallets.EUR ?? "",
    },
    payer: shopper,
    lookup_token: await lookUpRecipient(payouts, recipient),
    session: undefined,
    orders: [],
    ids: { order: [], refund: [], payout: [] },
  };
}

export const toMinor = (amount: number): number => Math.round(amount * 100);
const toMajor = (minor: number): string => (minor / 100).toFixed(2);

const toOutcome = (response: ApiResponse): string => {
  if (response.status !== 200) return errorCodeOf(response).code;
  return response.headers.get("idempotent-replayed") === "true" ? "repeated" : "done";
};

const toOrder = ({ order_id: id, status, raw_amount, refunded_amount }: Order): Resource => ({
  kind: "order",
  id,
  seen: { amount: toMinor(raw_amount), state: status, refunded: toMinor(refunded_amount) },
});
const toRefund = ({ refund_id: id, status, raw_amount }: Refund): Resource => ({
  kind: "refund",
  id,
  seen: { amount: toMinor(raw_amount), status },
});
const toPayout = ({ payout_id: id, status, amount, fee }: Payout): Resource => ({
  kind: "payout",
  id,
  seen: { amount: toMinor(amount), fee: toMinor(fee), status },
});

export const readOrder = ({ body }: ApiResponse): Resource => toOrder(orderResponseSchema.parse(body).data);
export const readRefund = ({ body }: ApiResponse): Resource =>
  toRefund(refundResponseSchema.parse(body).data);
export const readPayout = ({ body }: ApiResponse): Resource =>
  toPayout(payoutResponseSchema.parse(body).data.payout);

const resultWith = (response: ApiResponse, read: (response: ApiResponse) => Resource): Result => {
  const outcome = toOutcome(response);
  return response.status === 200 ? { outcome, resource: read(response) } : { outcome };
};

const at = (ids: readonly string[], index: number): string => {
  const id = ids[index];
  if (id === undefined) throw new Error(`the model uses index ${index}, but only ${ids.length} were created`);
  return id;
};

const withKey = (key: string) => (key === "" ? {} : { idempotency_key: key });

/** Sends the API request of a model call. @param step the number of the call in its trace */
export async function makeCall(scene: Scene, { tag, value }: ModelCall, step: number): Promise<Result> {
  const { sandbox, pay, payouts, ids } = scene;
  switch (tag) {
    case "CreateOrder": {
      const fields = { amount: toMajor(value.amount), currency: "EUR", ...withKey(value.key) };
      const response = await pay.post("/orders", fields);
      if (toOutcome(response) === "done") scene.orders.push(orderResponseSchema.parse(response.body).data);
      return resultWith(response, readOrder);
    }
    case "ReadOrder":
      return resultWith(await pay.get(`/orders/${at(ids.order, value)}`), readOrder);
    case "PayOrder":
      return payOrder(scene, value);
    case "CancelOrder":
      return resultWith(await pay.post(`/orders/${at(ids.order, value)}/cancel`), readOrder);
    case "OrderTimePasses":
      await makeOverdue(sandbox, at(ids.order, value));
      return { outcome: "done" };
    case "ExpireOrder": {
      const end = { kind: "order", id: at(ids.order, value), moment: "after_end" };
      return { outcome: toOutcome(await pay.post("/test/time", end)) };
    }
    case "CreateRefund": {
      const { trxId } = await sandbox.database.prisma.order.findUniqueOrThrow({
        where: { id: at(ids.order, value.order) },
      });
      const fields = {
        transaction_id: trxId ?? UNKNOWN_TRANSACTION,
        ...(value.amount > 0 && { amount: toMajor(value.amount) }),
        ...withKey(value.key),
      };
      return resultWith(await pay.post("/refunds", fields), readRefund);
    }
    case "DecideRefund":
      return {
        outcome: await decideRefund(sandbox, at(ids.refund, value.refund), value.approve).then(
          () => "done",
          (error: { code?: unknown }) => {
            if (error.code !== ALREADY_DECIDED) throw error;
            return ErrorCode.AlreadyDecided.code;
          },
        ),
      };
    case "CreatePayout": {
      const fields = {
        lookup_token: scene.lookup_token,
        amount: toMajor(value.amount),
        sender_currency: "EUR",
        receiver_currency: "EUR",
        reference: `step ${step}`,
        idempotency_key: value.key,
      };
      return resultWith(await payouts.post("/payout", fields), readPayout);
    }
    case "DecidePayout": {
      const decision = { outcome: value.approve ? "completed" : "failed" };
      const response = await pay.post(`/test/payouts/${at(ids.payout, value.payout)}`, decision);
      return resultWith(response, readPayout);
    }
  }
}

const paidSchema = successEnvelope(checkoutActionResponseSchema);

/** Pays an order on the payment page with the payer's PIN. */
async function payOrder(scene: Scene, index: number): Promise<Result> {
  const order = scene.orders[index];
  if (!order) throw new Error(`the trace pays order ${index}, which was not created`);
  const { session, payer, server } = scene;
  const page = openPage(server, paymentTokenOf(order), session === undefined ? {} : { session });
  if (session === undefined) await page.signIn(payer.email, payer.pin);
  const response = await page.pay({ pin: payer.pin });
  scene.session = page.session;
  if (response.status !== 200) return { outcome: errorCodeOf(response).code };
  return { outcome: paidSchema.parse(response.body).data.repeated ? "repeated" : "done" };
}
