import { randomUUID } from "node:crypto";
import {
  type ConsoleTill,
  type ConsoleTillOrder,
  consoleOrderChangedResponseSchema,
  consoleTillOrderResponseSchema,
  consoleTillResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { readAmountField } from "#server/amounts.ts";
import { consolePage } from "#server/console-page.ts";
import { requiredField, textField } from "#server/forms.ts";
import type { PageRequest } from "#server/request.ts";
import { OrderResult, PendingOrder, TillFrame, TillKeypad } from "#views/till.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = {
  till: ConsoleTill;
  /** The order that the URL identifies; null shows the keypad. */
  order: ConsoleTillOrder | null;
  /** Expiry by this server's clock, for the countdown. */
  endsAt: string | null;
  /** The order in progress at this till if the URL contains no order, for example on another device. */
  open: string | null;
  /** Idempotency key of the next order. */
  orderKey: string;
};

export default function TillPage({ till, order, endsAt, orderKey }: Props): ReactNode {
  const { to } = useMerchantPage();
  const basePath = to("tills", till.till_id);
  const waits = order?.status === "PENDING";
  return (
    <TillFrame name={till.name} isWaiting={waits}>
      {order === null ? (
        <TillKeypad till={till} orderKey={orderKey} />
      ) : waits && endsAt !== null ? (
        <PendingOrder order={order} endsAt={endsAt} />
      ) : (
        <OrderResult order={order} next={basePath} />
      )}
    </TillFrame>
  );
}

const toTillOrderPath = ({ consolePath, part }: PageRequest, orderId: string): string =>
  `${consolePath("tills", part("till"))}?order=${encodeURIComponent(orderId)}`;

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath, part, query }) => {
    const tillPath = apiPath("tills", part("till"));
    const { till, open } = await read(tillPath, consoleTillResponseSchema);
    const requestedOrder = query("order");
    const order =
      requestedOrder === undefined
        ? null
        : (
            await read(
              apiPath("tills", part("till"), "orders", requestedOrder),
              consoleTillOrderResponseSchema,
            )
          ).order;
    return {
      till,
      order,
      endsAt: order && new Date(Date.now() + order.expires_in_ms).toISOString(),
      open: requestedOrder === undefined ? (open?.order_id ?? null) : null,
      orderKey: randomUUID(),
    };
  },
  redirectTo: (request, { open }) => (open === null ? null : toTillOrderPath(request, open)),
  actions: {
    charge: async (request, form) => {
      const { read, change, apiPath, part, language } = request;
      const note = textField(form, "note");
      requiredField(form, "amount");
      const { till } = await read(apiPath("tills", part("till")), consoleTillResponseSchema);
      const { order } = await change(
        apiPath("tills", part("till"), "orders"),
        consoleTillOrderResponseSchema,
        {
          amount: readAmountField(form, "amount", { language, currency: till.currency }),
          idempotency_key: requiredField(form, "idempotency_key"),
          ...(note !== "" && { note }),
        },
      );
      return { to: toTillOrderPath(request, order.order_id) };
    },
    cancel: async (request) => {
      const orderId = request.query("order") ?? "";
      await request.change(
        request.apiPath("orders", orderId, "cancel"),
        consoleOrderChangedResponseSchema,
        {},
      );
      return { to: toTillOrderPath(request, orderId) };
    },
  },
});
