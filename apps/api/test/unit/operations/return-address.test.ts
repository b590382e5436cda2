import fc from "fast-check";
import { expect, it } from "vitest";
import { toReturnUrl } from "../../../src/checkout/view.js";
import { anyText } from "../../support/any-text.js";

const settled = {
  state: "PAID",
  token: "tok_en-1",
  returnUrl: "https://shop.example/thanks",
  cancelUrl: null,
  orderNumber: null,
  reference: null,
  trxId: "TRX-000000000001",
  custom: null,
} as const;

it("the return URL contains order_number instead of reference if both are set, plus trx_id and custom", () => {
  const address = toReturnUrl({ ...settled, orderNumber: "42", reference: "ref", custom: "a b" });
  expect(address).toBe(
    "https://shop.example/thanks?token=tok_en-1&status=paid&order_number=42&trx_id=TRX-000000000001&custom=a+b",
  );
});

it.each(["REFUND_PENDING", "REFUNDED"] as const)("the return URL reports %s as paid", (state) => {
  expect(toReturnUrl({ ...settled, state })).toContain("status=paid");
});

it("a pending order has no return URL", () => {
  expect(toReturnUrl({ ...settled, state: "PENDING", trxId: null })).toBeNull();
});

it("the return URL keeps the shop's URL and query, and encodes the order's values", () => {
  const carried = fc.option(anyText);
  const part = (prefix: string) =>
    carried.map((text) =>
      text === null ? "" : `${prefix}${encodeURI(text).replace(/[?#]/g, encodeURIComponent)}`,
    );
  const address = fc.tuple(fc.webAuthority({ size: "-1" }), part("/"), part("?"), part("#"));
  fc.assert(
    fc.property(
      address.map((parts) => `https://${parts.join("")}`),
      carried,
      carried,
      carried,
      (returnUrl, orderNumber, reference, custom) => {
        const before = new URL(returnUrl);
        const after = new URL(toReturnUrl({ ...settled, returnUrl, orderNumber, reference, custom }) ?? "");
        expect([after.origin, after.pathname, after.hash]).toEqual([
          before.origin,
          before.pathname,
          before.hash,
        ]);
        expect(after.search.startsWith(before.search)).toBe(true);
        const last = (name: string) => after.searchParams.getAll(name).at(-1);
        expect(last("status")).toBe("paid");
        if (orderNumber !== null) expect(last("order_number")).toBe(orderNumber);
        else if (reference !== null) expect(last("reference")).toBe(reference);
        if (custom !== null) expect(last("custom")).toBe(custom);
      },
    ),
  );
});
