import type { ConsoleOrder } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";

/** The state of an order as the console tells it. */
export const consoleStatus = ({
  state,
  refunded,
}: Pick<OrderModel, "state" | "refunded">): ConsoleOrder["status"] =>
  state === "PAID" && refunded > 0n ? "PARTLY_REFUNDED" : state;
