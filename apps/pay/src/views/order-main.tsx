import type { ReactNode } from "react";
import type { OrderScreen } from "./screen";
import { useWords } from "./use-words";

export type OrderMainProps = Pick<OrderScreen, "token" | "view"> & {
  className: string;
  /** The view that the script shows next without a click, and after how many seconds. */
  next?: { address: string; seconds: number };
  children: ReactNode;
};

/** The part of the page that the script replaces when the order changes, and the data that it needs for that. */
export function OrderMain({ token, view: { order }, className, next, children }: OrderMainProps): ReactNode {
  const { texts } = useWords();
  const clock = order.status === "PENDING" && next === undefined ? ` ${texts.connection.clock}` : "";
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
