import { createElement, type ReactElement, type ReactNode } from "react";

/** The payment service's own element (docs/embedding.md). Without its script it is nothing, and the link in it is a link. */
export const TillgatePay = ({
  paymentUrl,
  returnUrl,
  children,
}: {
  paymentUrl: string;
  returnUrl: string;
  children: ReactNode;
}): ReactElement =>
  createElement("tillgate-pay", { "payment-url": paymentUrl, "return-url": returnUrl }, children);
