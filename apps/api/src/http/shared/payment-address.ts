import type { OrderModel } from "@tillgate/database";

/** The hosted page's address of an order. The QR code encodes the same, so that every phone camera opens it. */
export const paymentAddress = (payUrl: string, order: Pick<OrderModel, "token">): string =>
  `${payUrl}/pay/${order.token}`;
