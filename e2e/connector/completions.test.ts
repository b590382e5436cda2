import { describe, expect, it } from "vitest";
import { type Cancellation, type Completion, countCompletions, wrongCompletions } from "./completions.js";

const completion = (askedMs: number, transactionId = "TRX-1"): Completion => ({
  transactionId,
  askedMs,
  answeredMs: askedMs + 10,
});
const cancellation = (askedMs: number): Cancellation => ({ askedMs, answeredMs: askedMs + 10 });

describe("wrongCompletions", () => {
  it("accepts one completion or none, with or without cancellations by the owner", () => {
    expect(wrongCompletions(0, [], [])).toEqual([]);
    expect(wrongCompletions(0, [], [cancellation(5)])).toEqual([]);
    expect(wrongCompletions(1, [completion(100)], [])).toEqual([]);
    expect(wrongCompletions(1, [completion(100)], [cancellation(5), cancellation(200)])).toEqual([]);
  });

  it("accepts each further completion if the owner cancelled after the previous one", () => {
    expect(wrongCompletions(2, [completion(100), completion(200)], [cancellation(150)])).toEqual([]);
    // The shop's responses overlap: the cancellation was sent first and completed last.
    expect(wrongCompletions(2, [completion(100), completion(200)], [cancellation(95)])).toEqual([]);
    const twice = [cancellation(150), cancellation(250)];
    expect(wrongCompletions(3, [completion(100), completion(200), completion(300)], twice)).toEqual([]);
  });

  it("rejects a second completion not made by the connector, even after a cancellation", () => {
    const wrong = ["it was completed 2 times, 1 of them by the connector"];
    expect(wrongCompletions(2, [completion(100)], [])).toEqual(wrong);
    expect(wrongCompletions(2, [completion(100)], [cancellation(150)])).toEqual(wrong);
  });

  it("rejects a second completion without a cancellation between the two", () => {
    const wrong = ["TRX-1 completed it again after TRX-1"];
    const twice = [completion(100), completion(200)];
    expect(wrongCompletions(2, twice, [])).toEqual(wrong);
    expect(wrongCompletions(2, twice, [cancellation(50)])).toEqual(wrong);
    expect(wrongCompletions(2, twice, [cancellation(250)])).toEqual(wrong);
  });

  it("requires a separate cancellation before each repeated completion", () => {
    const thrice = [completion(100), completion(200), completion(300)];
    expect(wrongCompletions(3, thrice, [cancellation(150)])).toHaveLength(1);
    expect(wrongCompletions(3, thrice, [cancellation(250)])).toHaveLength(1);
    expect(wrongCompletions(3, thrice, [cancellation(150), cancellation(160)])).toHaveLength(1);
  });

  it("rejects a second completion by another payment, even after a cancellation", () => {
    const wrong = ["TRX-2 completed it again after TRX-1"];
    const twice = [completion(100), completion(200, "TRX-2")];
    expect(wrongCompletions(2, twice, [cancellation(150)])).toEqual(wrong);
  });
});

describe("countCompletions", () => {
  it("counts only notes about a change to Processing or Completed", () => {
    const notes = [
      "Order status changed from Pending payment to Processing.",
      "Order status changed from Processing to Cancelled.",
      "Order status changed from Cancelled to Completed.",
      "Tillgate: paid 41.50 EUR, transaction TRX-1 (POS-1).",
    ];
    expect(countCompletions(notes)).toBe(2);
  });
});
