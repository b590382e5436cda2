export type ObservedCall = {
  /** `GET orders/{id}`: without IDs, to limit the number of metric labels. */
  operation: string;
  status: number | null;
  milliseconds: number;
  date: string | null;
};

export type ObserveCall = (call: ObservedCall) => void;

/** Replaces IDs in the path: `get` and `orders/POS-20261121-ABCDEF` become `GET orders/{id}`. */
export const toOperation = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path
    .split("/")
    .map((part, index) => (index > 0 && /\d/.test(part) ? "{id}" : part))
    .join("/")}`;
