import { ledgerFunction, nothing } from "./ledger-function.js";

/** Records a change by a console user; must be called last in the transaction. `details` is JSON text, usually with the old and new values. */
export const recordChange = ledgerFunction({
  name: "record_change",
  parameters: {
    merchantId: "uuid?",
    administratorId: "uuid",
    action: "text",
    subject: "text",
    details: "json",
  },
  returns: nothing,
});

/** Records a change by an API call; must be called last in the transaction. `details` is JSON text that includes the mode. */
export const recordCall = ledgerFunction({
  name: "record_call",
  parameters: { merchantId: "uuid?", credentialId: "uuid", action: "text", subject: "text", details: "json" },
  returns: nothing,
});
