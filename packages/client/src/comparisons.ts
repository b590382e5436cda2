import { type Comparison, type ComparisonInput, comparisonResponseSchema } from "@tillgate/contract";
import type { CallOptions } from "./call-options.js";
import { send, type Transport } from "./send.js";

export type Comparisons = {
  /**
   * Compares a shop's orders with Tillgate's: `PUT /comparisons/{day}`. Moves no money and changes no order. Safe to repeat.
   * @param day UTC day on which the shop started the run, `YYYY-MM-DD`
   * @returns the orders with differences
   */
  send(day: string, input: ComparisonInput, options?: CallOptions): Promise<Comparison>;
};

export const comparisonsResource = (transport: Transport): Comparisons => ({
  async send(day, input, options = {}) {
    const call = { path: `/comparisons/${encodeURIComponent(day)}`, schema: comparisonResponseSchema };
    return send(transport, { method: "PUT", body: input, ...call, ...options });
  },
});
