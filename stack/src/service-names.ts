/** The services of the product, in the order they are shown. */
export const serviceNames = ["api", "pay", "dashboard", "store", "connector"] as const;
export type ServiceName = (typeof serviceNames)[number];
