import type { Page } from "@playwright/test";
import { shopperNamed } from "../fixtures/sandbox.js";
import { expect, test } from "../fixtures/test.js";

/** Counts amounts, and finds those whose currency is not to the left of the number, where it belongs in right-to-left text. */
const wrongSides = (page: Page): Promise<{ sums: number; wrong: string[] }> =>
  page.locator("bdi.sum").evaluateAll((all) => {
    const wrong = all.flatMap((one) => {
      const node = one.firstChild;
      const text = node?.textContent ?? "";
      const leftOf = (at: number) => {
        const range = document.createRange();
        if (node) {
          range.setStart(node, at);
          range.setEnd(node, at + 1);
        }
        return range.getBoundingClientRect().left;
      };
      const [number, currency] = [text.search(/\d/), text.search(/[\p{L}€]/u)];
      return leftOf(currency) < leftOf(number) ? [] : [text.replace(/[\u200e\u200f]/g, "")];
    });
    return { sums: all.length, wrong };
  });

test("in Arabic the amounts on the payment page, the receipt and two wallet pages have their currency to the left of the number @one-width", async ({
  page,
  payment,
  sandbox,
  tillgate,
}) => {
  const samuel = shopperNamed(sandbox, "Samuel");
  const order = await tillgate.placeOrder("18.50");
  await payment.open(`${order.address}?lang=ar`);
  await payment.signIn(samuel.phone, samuel.pin);
  await payment.chooseWallet("XAF");
  await payment.quotePays.waitFor();
  expect((await wrongSides(page)).wrong).toEqual([]);
  await payment.confirm.click();
  await payment.expectStatus("PAID");
  expect((await wrongSides(page)).wrong).toEqual([]);
  for (const path of ["/wallet", "/wallet/activity"]) {
    await page.goto(`${sandbox.pay}${path}`);
    const { sums, wrong } = await wrongSides(page);
    expect(sums).toBeGreaterThan(2);
    expect(wrong).toEqual([]);
  }
});
