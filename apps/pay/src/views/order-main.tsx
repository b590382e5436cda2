import type { ReactNode } from "react";
import type { OrderScreen } from "./screen";

export interface OrderMainProps extends Pick<OrderScreen, "token" | "view"> {
  className: string;
  /** What the script shows next by itself, and after how many seconds. */
  next?: { address: string; seconds: number };
  children: ReactNode;
}

/** The part of the page that the script exchanges when the order changes, and what it has to know for that. */
export function OrderMain({ token, view: { order }, className, next, children }: OrderMainProps): ReactNode {
  return (
    <main
      className={`page ${className}`}
      data-token={token}
      data-order-status={order.status}
      data-version={order.version}
      data-next-view={next?.address}
      data-next-seconds={next?.seconds}
    >
      {children}
    </main>
  );
}
