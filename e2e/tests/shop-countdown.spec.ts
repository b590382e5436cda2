import { expect, test } from "../fixtures/test.js";

test("the shop's countdown is correct on a device whose clock is an hour ahead @one-width", async ({
  page,
  shop,
}) => {
  await page.addInitScript(() => {
    const RealDate = Date;
    const AHEAD_MS = 3_600_000;
    // Only the clock differs.
    globalThis.Date = class extends RealDate {
      constructor(...given: ConstructorParameters<typeof RealDate> | []) {
        super(...((given.length === 0 ? [RealDate.now() + AHEAD_MS] : given) as [number]));
      }
      static override now = () => RealDate.now() + AHEAD_MS;
    } as typeof RealDate;
  });
  await shop.placeOrder();
  await expect(page.locator("#time-left")).toHaveText(/^Time left: (0[1-9]|1\d):\d\d$/);
});
