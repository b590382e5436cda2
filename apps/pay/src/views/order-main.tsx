import type { CheckoutView } from "@tillgate/contract";
import type { ReactNode } from "react";
import { useLocalization } from "./localization";

export type OrderMainProps = {
  token: string;
  view: OrderHead;
  className: string;
  /** The view that the script loads next, and after how many seconds. */
  next?: { address: string; seconds: number };
  /** Origins that the script of an embedded frame may notify. */
  frameOrigins?: readonly string[];
  children: ReactNode;
};

/** Renders the part of the page that the script replaces, with the data the script needs. */
export function OrderMain({
  token,
  view: { order },
  className,
  next,
  frameOrigins,
  children,
}: OrderMainProps): ReactNode {
  const { texts } = useLocalization();
  const clock = order.status === "PENDING" && next === undefined ? ` ${texts.connection.clock}` : "";
  return (
    <main
      className={`page ${className}`}
      data-token={token}
      data-order-status={order.status}
      data-version={order.version}
      data-next-view={next?.address}
      data-next-seconds={next?.seconds}
      data-frame-origins={frameOrigins?.join(" ")}
    >
      {children}
      <p
        className="connection"
        data-testid="pay-connection"
        data-connection="good"
        data-offline={texts.connection.offline + clock}
        data-lost={texts.connection.lost + clock}
        data-unavailable={texts.connection.unavailable + clock}
        hidden
      />
    </main>
  );
}

export type OrderHead = Pick<CheckoutView, "merchant" | "expires_in_ms"> & {
  order: Pick<
    CheckoutView["order"],
    | "status"
    | "version"
    | "amount"
    | "refunded_amount"
    | "refund_pending_amount"
    | "description"
    | "reference"
    | "qr_data"
    | "expires_at"
  >;
};
