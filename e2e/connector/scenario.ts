import fc from "fast-check";

export type Step =
  /** The shopper opens the shop's pay page, reloads it, or opens it in a second tab. */
  | { do: "start" }
  | { do: "pay" }
  | { do: "cancel on the page" }
  /** The shopper returns to the shop. */
  | { do: "return" }
  /** One of the received webhooks is delivered: each can arrive late, twice, out of order or never. */
  | { do: "deliver"; which: number }
  | { do: "sweep" }
  /** The shop's own webhook reports that the order changed. */
  | { do: "shop tells" }
  | { do: "refund at Tillgate"; percent: number }
  | { do: "refund in the shop"; percent: number }
  | { do: "switch the method"; to: "tillgate" | "bacs" }
  | { do: "cancel in the shop" }
  | { do: "edit the total"; to: string }
  | { do: "expire" };

export type Scenario = {
  /** Whether every item is virtual and downloadable, so that nothing needs processing. */
  virtual: boolean;
  price: string;
  /** Rounds run in sequence; the steps of a round run concurrently. */
  rounds: Step[][];
  /** Whether webhooks not accepted by the end of the last round are lost. */
  restIsLost: boolean;
};

const percent = fc.integer({ min: 1, max: 100 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Step>({ do: "start" }) },
  { weight: 6, arbitrary: fc.constant<Step>({ do: "pay" }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: "cancel on the page" }) },
  { weight: 3, arbitrary: fc.constant<Step>({ do: "return" }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("deliver" as const), which: fc.nat({ max: 9 }) }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: "sweep" }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: "shop tells" }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refund at Tillgate" as const), percent }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refund in the shop" as const), percent }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("switch the method" as const),
      to: fc.constantFrom("tillgate" as const, "bacs" as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: "cancel in the shop" }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("edit the total" as const),
      to: fc.constantFrom("60.00", "12.34", "0.01"),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: "expire" }) },
);

export const createScenario: fc.Arbitrary<Scenario> = fc.record({
  virtual: fc.boolean(),
  price: fc.constantFrom("41.50", "0.03", "999.99"),
  rounds: fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 7 }),
  restIsLost: fc.boolean(),
});
