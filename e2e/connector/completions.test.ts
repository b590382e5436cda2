import { describe, expect, it } from "vitest";
import { type Cancellation, type Completion, completionsTold, wrongCompletions } from "./completions.js";

const completion = (askedMs: number, transactionId = "TRX-1"): Completion => ({
  transactionId,
  askedMs,
  answeredMs: askedMs + 10,
});
const cancellation = (askedMs: number): Cancellation => ({ askedMs, answeredMs: askedMs + 10 });

describe("an order", () => {
  it("that was completed never or once is right, whenever its owner cancelled it", () => {
    expect(wrongCompletions(0, [], [])).toEqual([]);
    expect(wrongCompletions(0, [], [cancellation(5)])).toEqual([]);
    expect(wrongCompletions(1, [completion(100)], [])).toEqual([]);
    expect(wrongCompletions(1, [completion(100)], [cancellation(5), cancellation(200)])).toEqual([]);
  });

  it("whose owner cancelled it between its completion and the next is right: the payment wins", () => {
    expect(wrongCompletions(2, [completion(100), completion(200)], [cancellation(150)])).toEqual([]);
    // The shop's answers cross: the cancellation was asked for first and made last.
    expect(wrongCompletions(2, [completion(100), completion(200)], [cancellation(95)])).toEqual([]);
    const twice = [cancellation(150), cancellation(250)];
    expect(wrongCompletions(3, [completion(100), completion(200), completion(300)], twice)).toEqual([]);
  });

  it("with a second completion that the connector did not make is wrong, whatever its owner cancelled", () => {
    const wrong = ["it was completed 2 times, 1 of them by the connector"];
    expect(wrongCompletions(2, [completion(100)], [])).toEqual(wrong);
    expect(wrongCompletions(2, [completion(100)], [cancellation(150)])).toEqual(wrong);
  });

  it("with a second completion that no cancellation came before is wrong", () => {
    const wrong = ["TRX-1 completed it again after TRX-1 had"];
    const twice = [completion(100), completion(200)];
    expect(wrongCompletions(2, twice, [])).toEqual(wrong);
    expect(wrongCompletions(2, twice, [cancellation(50)])).toEqual(wrong);
    expect(wrongCompletions(2, twice, [cancellation(250)])).toEqual(wrong);
  });

  it("with two more completions and one cancellation is wrong: each needs its own", () => {
    const thrice = [completion(100), completion(200), completion(300)];
    expect(wrongCompletions(3, thrice, [cancellation(150)])).toHaveLength(1);
    expect(wrongCompletions(3, thrice, [cancellation(250)])).toHaveLength(1);
    expect(wrongCompletions(3, thrice, [cancellation(150), cancellation(160)])).toHaveLength(1);
  });

  it("that another payment completed again is wrong, also after a cancellation", () => {
    const wrong = ["TRX-2 completed it again after TRX-1 had"];
    const twice = [completion(100), completion(200, "TRX-2")];
    expect(wrongCompletions(2, twice, [cancellation(150)])).toEqual(wrong);
  });
});

describe("what the notes tell", () => {
  it("is a completion where the order becomes Processing or Completed, and nowhere else", () => {
    const notes = [
      "Order status changed from Pending payment to Processing.",
      "Order status changed from Processing to Cancelled.",
      "Order status changed from Cancelled to Completed.",
      "Tillgate: paid 41.50 EUR, transaction TRX-1 (POS-1).",
    ];
    expect(completionsTold(notes)).toBe(2);
  });
});
