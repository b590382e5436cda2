import { describe, expect, it } from "vitest";
import { isSameOrigin } from "../../../src/web/form.js";

const own = "https://pay.example.com";

describe("isSameOrigin", () => {
  it("accepts the page's own origin", () => {
    expect(isSameOrigin({ origin: own }, own)).toBe(true);
    expect(isSameOrigin({ origin: own, referer: "https://evil.example/" }, own)).toBe(true);
  });

  it("uses the Referer only if there is no Origin", () => {
    expect(isSameOrigin({ referer: `${own}/pay/abc` }, own)).toBe(true);
    expect(isSameOrigin({ referer: "https://evil.example/pay/abc" }, own)).toBe(false);
    expect(isSameOrigin({ referer: `https://evil.example/?${own}` }, own)).toBe(false);
    expect(isSameOrigin({ referer: "no address" }, own)).toBe(false);
    expect(isSameOrigin({ origin: "https://evil.example", referer: `${own}/pay/abc` }, own)).toBe(false);
  });

  it("rejects the opaque origin, similar origins, and a request with neither Origin nor Referer", () => {
    for (const origin of [
      "null",
      "",
      "http://pay.example.com",
      "https://pay.example.com:8443",
      "https://pay.example.com.evil.example",
      "https://shop.pay.example.com",
      "HTTPS://pay.example.com",
    ]) {
      expect(isSameOrigin({ origin }, own), origin).toBe(false);
    }
    expect(isSameOrigin({}, own)).toBe(false);
  });
});
