import { z } from "zod";
import { ledgerFunction, value } from "../ledger-function.js";

/** Takes back what {@link countPin} counted for a right PIN; answers the failures of its subject before it. */
export const forgivePin = ledgerFunction({
  name: "forgive_pin",
  takes: { subject: "bytea", address: "bytea?" },
  answers: value(z.int()),
});
