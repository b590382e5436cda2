import { randomUUID } from "node:crypto";
import {
  type ConsoleMoney,
  type ConsoleRefund,
  consoleOrderChangedResponseSchema,
  consoleOrderResponseSchema,
  consoleRefundResponseSchema,
  consoleTimelineResponseSchema,
  hasRight,
  testOrderResponseSchema,
} from "@tillgate/contract";
import { computePayerShare, formatDecimal, toMinorUnits } from "@tillgate/money";
import type { ReactNode } from "react";
import type { z } from "zod";
import { readAmountField } from "#server/amounts.ts";
import { consolePage } from "#server/console-page.ts";
import { confirmFirst, textField } from "#server/forms.ts";
import type { Question } from "#server/page.ts";
import { done, type PageRequest } from "#server/request.ts";
import { requireRight } from "#server/user.ts";
import { textOfCase } from "#texts/texts.ts";
import { Following } from "#views/following.tsx";
import { Button, ConfirmedForm, Field, Form, SecondFactorField } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Badge, Card, Facts, Money, Slashes, Table, Time } from "#views/parts.tsx";
import { Timeline, type TimelineProps } from "#views/timeline.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Order = z.infer<typeof consoleOrderResponseSchema>["data"];
type Props = {
  order: Order;
  timeline: TimelineProps;
  /** Whether the page refreshes: while a sandbox order is payable, and then until a webhook is delivered or a minute has passed since the payment. */
  follows: boolean;
  /** Idempotency key created with the page, so that submitting the form twice refunds only once. */
  refundKey: string;
};

export default function OrderPage({ order, timeline, follows, refundKey }: Props): ReactNode {
  const { t, to } = useMerchantPage();
  const happened = <Timeline {...timeline} of={order.order_id} trace={order.trace_url} />;
  return (
    <Frame
      title={t("order.title", { name: order.order_number ?? order.reference ?? order.order_id })}
      back={{ href: to("orders"), text: t("nav.orders") }}
      tools={<Badge status={order.status} />}
    >
      <div className="columns">
        <div>
          <Card>
            <p className="amount" data-testid="amount">
              <Money money={order.money} />
            </p>
            <OrderSteps order={order} refundKey={refundKey} />
            <OrderFacts order={order} />
          </Card>
          {order.refunds.length > 0 ? (
            <Card title={t("nav.refunds")}>
              <Table
                caption={t("nav.refunds")}
                rows={order.refunds}
                keyOf={({ refund_id }) => refund_id}
                columns={[
                  {
                    title: t("refund.refund"),
                    cell: ({ refund_id }) => <a href={to("refunds", refund_id)}>{refund_id}</a>,
                  },
                  { title: t("list.amount"), cell: ({ money }) => <Money money={money} />, number: true },
                  ...(order.payer_money
                    ? [
                        {
                          title: t("refund.received"),
                          cell: ({ received }: ConsoleRefund) =>
                            received ? <Money money={received} /> : "–",
                          number: true,
                        },
                      ]
                    : []),
                  { title: t("list.status"), cell: ({ status }) => <Badge status={status} /> },
                ]}
              />
              {order.more_refunds ? <p className="soft">{t("order.moreRefunds")}</p> : null}
            </Card>
          ) : null}
        </div>
        {follows ? <Following reloads={false}>{happened}</Following> : happened}
      </div>
    </Frame>
  );
}

function OrderSteps({ order, refundKey }: { order: Order; refundKey: string }): ReactNode {
  const { page, t, f, merchant } = useMerchantPage();
  // The order list links to the form with `?refund`.
  const refundRequested = new URLSearchParams(page.path.split("?")[1]).has("refund");
  const mode = t(`mode.${merchant.mode}`);
  const refundable = order.refundable;
  return (
    <div className="tools">
      {merchant.mode === "sandbox" &&
      order.status === "PENDING" &&
      hasRight(merchant.role, "controls.change") ? (
        <Form action="pay" className="inline">
          <Button testId="pay-as-shopper">{t("order.payAsShopper")}</Button>
        </Form>
      ) : null}
      {refundable !== null && Number(refundable.amount) > 0 && hasRight(merchant.role, "refunds.create") ? (
        <ConfirmedForm label={t("order.refund")} open={refundRequested} testId="refund" action="refund">
          <input
            type="hidden"
            name="idempotency_key"
            value={page.form?.values.idempotency_key ?? refundKey}
          />
          <Field
            name="amount"
            label={t("order.refundAmount", { currency: refundable.currency })}
            hint={t("order.refundLeft", { left: f.money(refundable) })}
            inputMode="decimal"
            optional
          />
          <Field name="reason" label={t("order.reason")} optional />
          {order.refunds_need_approval ? <p className="box note">{t("order.needsApproval")}</p> : null}
          <SecondFactorField />
          <Button testId="refund-now">{t("order.refundButton", { mode })}</Button>
        </ConfirmedForm>
      ) : null}
      {order.cancellable && hasRight(merchant.role, "orders.cancel") ? (
        <ConfirmedForm label={t("order.cancel")} danger testId="cancel" action="cancel">
          <p>{t("order.cancelText")}</p>
          <Field name="reason" label={t("order.reason")} optional />
          <Button kind="danger" testId="cancel-now">
            {t("order.cancelButton", { mode })}
          </Button>
        </ConfirmedForm>
      ) : null}
    </div>
  );
}

function OrderFacts({ order }: { order: Order }): ReactNode {
  const { t, to } = useMerchantPage();
  const { payer } = order;
  return (
    <Facts
      rows={[
        [t("order.id"), <code key="id">{order.order_id}</code>],
        [t("order.reference"), order.reference],
        [t("order.number"), order.order_number],
        [t("order.description"), order.description],
        [t("order.payer"), payer && [payer.name, payer.email, payer.phone].filter(Boolean).join(" · ")],
        [t("order.paidWith"), order.payer_money && <Money money={order.payer_money} />],
        [
          t("order.refunded"),
          Number(order.refunded.amount) > 0 ? <Money key="refunded" money={order.refunded} /> : null,
        ],
        [
          t("order.refundPending"),
          Number(order.refund_pending.amount) > 0 ? (
            <Money key="pending" money={order.refund_pending} />
          ) : null,
        ],
        [t("filter.method"), textOfCase(t, "method", order.payment_method)],
        [t("order.trx"), order.trx_id && <code>{order.trx_id}</code>],
        [t("list.created"), <Time key="created" at={order.created_at} />],
        [t("order.paidAt"), order.paid_at && <Time at={order.paid_at} />],
        [
          t("order.expires"),
          order.status === "PENDING" ? <Time key="expires" at={order.expires_at} exact /> : null,
        ],
        [
          t("order.terminal"),
          order.till ? (
            <a key="till" href={to("tills", order.till.till_id)}>
              {order.till.name}
            </a>
          ) : (
            order.terminal_id
          ),
        ],
        [
          t("order.link"),
          order.link && (
            <a key="link" href={to("links", order.link.link_id)}>
              {order.link.description}
            </a>
          ),
        ],
        [
          t("order.page"),
          <a key="page" href={order.payment_url}>
            <Slashes text={order.payment_url} />
          </a>,
        ],
        [t("order.callback"), order.callback_url],
        [t("credentials.clientId"), order.client_id],
      ]}
    />
  );
}

/**
 * Asks for confirmation of a refund. An empty field means the remaining amount.
 * @returns the confirmed amount in the order's currency; empty if the field is empty and the order cannot be refunded
 */
function confirmRefund({ language, part, t, f }: PageRequest, form: URLSearchParams, order: Order): string {
  const { refundable: left, money, payer } = order;
  const { currency } = money;
  const entered = readAmountField(form, "amount", { language, currency });
  // If nothing remains, the API reports the error.
  if (left === null) return entered;
  const amount = entered || left.amount;
  const shown = f.money({ amount, currency });
  const payerAmount = toReceivedAmount(order, amount);
  form.set("amount", f.typed(amount));
  const questionKey =
    shown === f.money(money) ? ("order.refundFullAsk" as const) : ("order.refundRestAsk" as const);
  const question: Question = {
    text: shown === f.money(left) ? questionKey : "order.refundAsk",
    values: { amount: shown },
    facts: [
      { label: "order.order", value: order.order_number ?? order.reference ?? order.order_id },
      ...(payerAmount ? [{ label: "refund.received" as const, value: f.money(payerAmount) }] : []),
      ...(payer?.name ? [{ label: "order.payer" as const, value: payer.name }] : []),
      ...(textField(form, "reason")
        ? [{ label: "order.reason" as const, value: textField(form, "reason") }]
        : []),
    ],
    button: "order.refundButton",
    buttonValues: { mode: textOfCase(t, "mode", part("mode")) },
  };
  // On a second submission the remaining amount has changed, but the confirmed amount has not.
  confirmFirst(form, question, shown);
  return amount;
}

const digitsIn = (amount: string): number => amount.split(".")[1]?.length ?? 0;

/** Returns the refund in the payer's currency; null if nothing was converted, or the amount has too many decimals. */
function toReceivedAmount(
  { money, refunded, payer_money: paid }: Order,
  amount: string,
): ConsoleMoney | null {
  const digits = digitsIn(money.amount);
  if (paid === null || digitsIn(amount) > digits) return null;
  const payment = {
    paid: toMinorUnits(paid.amount, digitsIn(paid.amount)),
    price: toMinorUnits(money.amount, digits),
    refunded: toMinorUnits(refunded.amount, digits),
  };
  const share = computePayerShare(payment, toMinorUnits(amount, digits));
  return { amount: formatDecimal(share, digitsIn(paid.amount)), currency: paid.currency };
}

/** How long the page of a paid sandbox order waits for its webhook. */
const WEBHOOK_WAIT_MS = 60_000;

function isInProgress(mode: string, { status, paid_at }: Order, { entries }: TimelineProps): boolean {
  if (mode !== "sandbox") return false;
  if (paid_at === null) return status === "PENDING";
  const isDelivered = entries.some(({ kind, status: at }) => kind === "delivery" && at === "delivered");
  return !isDelivered && Date.now() - Date.parse(paid_at) < WEBHOOK_WAIT_MS;
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath, part }) => {
    const [order, timeline] = await Promise.all([
      read(apiPath("orders", part("id")), consoleOrderResponseSchema),
      read(apiPath("orders", part("id"), "timeline"), consoleTimelineResponseSchema),
    ]);
    return { order, timeline, follows: isInProgress(part("mode"), order, timeline), refundKey: randomUUID() };
  },
  actions: {
    refund: async (request, form) => {
      const { read, change, caller, apiPath, consolePath, part } = request;
      await requireRight(caller, part("merchant"), "refunds.create");
      const order = await read(apiPath("orders", part("id")), consoleOrderResponseSchema);
      const amount = confirmRefund(request, form, order);
      const reason = textField(form, "reason");
      const { status } = await change(apiPath("orders", part("id"), "refunds"), consoleRefundResponseSchema, {
        ...(amount === "" ? {} : { amount }),
        ...(reason === "" ? {} : { reason }),
        idempotency_key: textField(form, "idempotency_key"),
      });
      const text = status === "pending" ? "order.refundOnHold" : "order.refundDone";
      return done(consolePath("orders", part("id")), text);
    },
    pay: async ({ change, apiPath, consolePath, part }) => {
      await change(apiPath("test", "orders", part("id"), "pay"), testOrderResponseSchema);
      return done(consolePath("orders", part("id")), "order.paidAsShopper");
    },
    cancel: async ({ change, apiPath, consolePath, part }, form) => {
      const reason = textField(form, "reason");
      const path = apiPath("orders", part("id"), "cancel");
      await change(path, consoleOrderChangedResponseSchema, reason === "" ? {} : { reason });
      return done(consolePath("orders", part("id")), "order.cancelled");
    },
  },
});
