/** The payment methods that an order of this shop can have, with their names as the shopper reads them. */
export const paymentMethods = {
  tillgate: "Tillgate",
  bacs: "Direct bank transfer",
} as const;

export type PaymentMethod = keyof typeof paymentMethods;
