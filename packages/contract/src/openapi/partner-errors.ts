import { type ErrorRow, errorRow, unprocessableField } from "./errors.js";

export const required = (field: string): ErrorRow =>
  unprocessableField(
    field,
    "is required",
    "A required field is missing; other rules of a field are told the same way.",
  );

export const INVALID_LOOKUP_TOKEN = errorRow(
  400,
  "Invalid or expired lookup token.",
  "The lookup token is older than 10 minutes or not of this account and mode.",
);
export const RECIPIENT_INACTIVE = errorRow(
  400,
  "Recipient not found or inactive.",
  "The recipient was deactivated.",
);
export const NO_MERCHANT_WALLET = errorRow(
  400,
  "Merchant wallet not found for currency: USD",
  "You have no wallet in the sender currency.",
);
export const INVALID_RECEIVER_CURRENCY = errorRow(
  400,
  "Invalid receiver currency.",
  "The receiver currency does not exist or is inactive, or no rate leads to it.",
);
export const NOT_AUTHORIZED = errorRow(
  400,
  "Currency USD is not authorized for payouts.",
  "The sender currency is not enabled for payouts on the account.",
);
export const TOO_SMALL = unprocessableField(
  "amount",
  "must credit at least one unit and at most 10^13 units of the receiver currency",
  "Too little or too much after the conversion.",
);
