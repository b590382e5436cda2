import { ledgerFunction, nothing } from "../ledger-function.js";
import { notAnAdministrator } from "./record-change.js";

/** Records what a call of the API changed; called last in its transaction. `details` is JSON text with the mode in it. */
export const recordCall = ledgerFunction({
  name: "record_call",
  takes: { merchantId: "uuid?", credentialId: "uuid", action: "text", subject: "text", details: "json" },
  answers: nothing,
  refuses: notAnAdministrator,
});
