import { MAX_TEST_CONTROLS } from "../limits.js";
import { refusals } from "./refusal.js";

/** Refusals of what a merchant orders of its sandbox. */
export const SANDBOX_REFUSALS = refusals({
  NothingThatEnds: {
    code: "nothing_that_ends",
    status: 404,
    text: "Nothing with this id can be brought to its end",
    cause:
      "It is unknown, settled, used or ended already, or, as a client id, no rotation of its secret is under way.",
  },
  TooManyTestControls: {
    code: "too_many_test_controls",
    status: 422,
    text: `No more than ${MAX_TEST_CONTROLS} test controls at once`,
    cause: "Clear those that are left, or let them be met.",
  },
});
