export const paymentMethods = {
  tillgate: "Tillgate",
  bacs: "Direct bank transfer",
} as const;

export type PaymentMethod = keyof typeof paymentMethods;
