import { expect, it } from "vitest";
import { lockSeconds } from "../../../src/identity/pin-lockout.js";

it("lockSeconds grows from a minute to a day", () => {
  expect(lockSeconds(60)).toEqual([60, 300, 900, 3_600, 14_400, 86_400]);
});

it("lockSeconds is at most a day, even with a long first lock", () => {
  expect(lockSeconds(1)).toEqual([1, 5, 15, 60, 240, 1_440]);
  expect(Math.max(...lockSeconds(86_400))).toBe(86_400);
});
