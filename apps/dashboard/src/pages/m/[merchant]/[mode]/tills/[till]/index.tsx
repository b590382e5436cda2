import { randomUUID } from "node:crypto";
import {
  type ConsoleTill,
  type ConsoleTillOrder,
  consoleOrderChangedAnswerSchema,
  consoleTillAnswerSchema,
  consoleTillOrderAnswerSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { change, read } from "#internal-api.ts";
import { placePath } from "#paths.ts";
import { amountOf } from "#server/amounts.ts";
import { consolePage } from "#server/console-page.ts";
import { fieldOf, needed } from "#server/forms.ts";
import type { PageRequest } from "#server/request.ts";
import { TillEnded, TillFrame, TillKeypad, TillWaits } from "#views/till.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = {
  till: ConsoleTill;
  /** The order in the address; null shows the keypad. */
  order: ConsoleTillOrder | null;
  /** Expiry by this server's clock, for the countdown. */
  endsAt: string | null;
  /** The order in progress at this till if the address names none: after a reload, or on another device. */
  open: string | null;
  /** Idempotency key of the next order. */
  orderKey: string;
};

/** The till: keypad, QR code, result. */
export default function TillPage({ till, order, endsAt, orderKey }: Props): ReactNode {
  const { page } = usePage();
  const { place } = page;
  if (place === null) return null;
  const here = placePath(place.merchantId, place.mode, "tills", till.till_id);
  const waits = order?.status === "PENDING";
  return (
    <TillFrame name={till.name} waits={waits}>
      {order === null ? (
        <TillKeypad till={till} orderKey={orderKey} />
      ) : waits && endsAt !== null ? (
        <TillWaits order={order} endsAt={endsAt} />
      ) : (
        <TillEnded order={order} next={here} />
      )}
    </TillFrame>
  );
}

/** The till's address for one of its orders. */
const showing = ({ here, part }: PageRequest, orderId: string): string =>
  `${here("tills", part("till"))}?order=${encodeURIComponent(orderId)}`;

export const getServerSideProps = consolePage<Props>({
  load: async ({ caller, place, part, query }) => {
    const tillPlace = place("tills", part("till"));
    const { till, open } = await read(caller, tillPlace, consoleTillAnswerSchema);
    const asked = query("order");
    const order =
      asked === undefined
        ? null
        : (await read(caller, place("tills", part("till"), "orders", asked), consoleTillOrderAnswerSchema))
            .order;
    return {
      till,
      order,
      endsAt: order && new Date(Date.now() + order.expires_in_ms).toISOString(),
      open: asked === undefined ? (open?.order_id ?? null) : null,
      orderKey: randomUUID(),
    };
  },
  leadTo: (request, { open }) => (open === null ? null : showing(request, open)),
  actions: {
    charge: async (request, form) => {
      const { caller, place, part, language } = request;
      const note = fieldOf(form, "note");
      needed(form, "amount");
      const { till } = await read(caller, place("tills", part("till")), consoleTillAnswerSchema);
      const { order } = await change(
        caller,
        place("tills", part("till"), "orders"),
        consoleTillOrderAnswerSchema,
        {
          amount: amountOf(form, "amount", { language, currency: till.currency }),
          idempotency_key: needed(form, "idempotency_key"),
          ...(note !== "" && { note }),
        },
      );
      return { to: showing(request, order.order_id) };
    },
    cancel: async (request) => {
      const orderId = request.query("order") ?? "";
      await change(
        request.caller,
        request.place("orders", orderId, "cancel"),
        consoleOrderChangedAnswerSchema,
        {},
      );
      return { to: showing(request, orderId) };
    },
  },
});
