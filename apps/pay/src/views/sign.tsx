import type { CheckoutView } from "@tillgate/contract";
import type { ReactNode } from "react";

type SettledStatus = Exclude<CheckoutView["order"]["status"], "PENDING">;

/** The order's outcome as one sign in a circle; the words beside it say the same. */
const strokes: Record<SettledStatus, string> = {
  PAID: "M15 25l6.5 6.5L34 18",
  CANCELLED: "M17 17l14 14M31 17L17 31",
  EXPIRED: "M24 14v11l7 4",
  REFUND_PENDING: "M20 17l-6 6 6 6M14 23h13a6 6 0 0 1 0 12h-3",
  REFUNDED: "M20 17l-6 6 6 6M14 23h13a6 6 0 0 1 0 12h-3",
};

export function Sign({ status }: { status: SettledStatus }): ReactNode {
  return (
    <svg className="sign" viewBox="0 0 48 48" aria-hidden="true" data-status={status}>
      <circle cx="24" cy="24" r="22" />
      <path d={strokes[status]} />
    </svg>
  );
}
