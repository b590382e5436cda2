import { timestampSchema } from "@tillgate/contract";
import fc from "fast-check";
import { expect, it } from "vitest";
import { wireTime } from "../../../src/http/shared/shapes.js";

it("timestamps have whole seconds and +00:00, and are truncated, not rounded", () => {
  const min = new Date("2000-01-01T00:00:00Z");
  const max = new Date("2200-01-01T00:00:00Z");
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), (time) => {
      const text = timestampSchema.parse(wireTime(time));
      expect(Date.parse(text)).toBe(Math.floor(time.getTime() / 1000) * 1000);
    }),
  );
});
