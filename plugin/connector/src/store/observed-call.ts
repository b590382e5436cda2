/** One call that ended, with an answer or without. */
export type ObservedCall = {
  /** `GET orders/{id}`: ids taken out, so that there are few. */
  operation: string;
  /** The HTTP status; null where no answer came. */
  status: number | null;
  milliseconds: number;
  /** The answer's Date header. */
  date: string | null;
};

export type ObserveCall = (call: ObservedCall) => void;

/** Takes the ids out of a path: `orders/POS-20261121-ABCDEF` → `orders/{id}`. */
export const operationOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path
    .split("/")
    .map((part, index) => (index > 0 && /\d/.test(part) ? "{id}" : part))
    .join("/")}`;
