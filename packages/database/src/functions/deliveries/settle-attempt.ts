import { z } from "zod";
import { ledgerFunction, value } from "../ledger-function.js";

/** Records an attempt and settles its delivery; answers false when another worker settled it before. */
export const settleAttempt = ledgerFunction({
  name: "settle_attempt",
  takes: {
    delivery: "uuid",
    number: "int",
    status: "delivery_status",
    nextDelayMs: "double precision",
    givenUpBecause: "text?",
    address: "text",
    host: "text",
    startedAt: "timestamp with time zone",
    latencyMs: "int",
    httpStatus: "int?",
    errorKind: "text?",
    answerStart: "text?",
    requestHeaders: "json",
  },
  answers: value(z.boolean()),
});
