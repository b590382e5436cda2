import type { Sandbox } from "@tillgate/stack";
import type { Browser } from "playwright";
import { openAdministrator } from "./fixtures/administrator.js";
import { ApiDatabase } from "./fixtures/api-database.js";
import { openFaultyPage } from "./fixtures/faulty-page.js";
import { shopperNamed } from "./fixtures/sandbox.js";
import { openTillgate } from "./fixtures/tillgate.js";
import { PaymentPage } from "./pages/payment-page.js";

/** Brings a new order and its page into a state. */
export type Reach = (payment: PaymentPage, order: { id: string; address: string }) => Promise<void>;

/** Returns the states of the payment page by name, with the function that brings an open order into each state. */
export function paymentStates(sandbox: Sandbox, browser: Browser): Record<string, Reach> {
  const tillgate = openTillgate(sandbox);
  const books = new ApiDatabase(sandbox.database_url);
  const amelie = shopperNamed(sandbox, "Amélie");
  const samuel = shopperNamed(sandbox, "Samuel");
  const dana = shopperNamed(sandbox, "Dana");
  const wrong = amelie.pin === "482915" ? "482916" : "482915";
  const approve: Reach = async (payment) => {
    await payment.approve.click();
    await payment.expectStatus("PAID");
    await payment.transaction.waitFor();
  };
  const enterWrongPins = async (payment: PaymentPage) => {
    for (let guess = 0; guess < 5; guess += 1) {
      await payment.signIn(amelie.email, wrong);
      await payment.expectNotice("wrong_sign_in");
      await payment.page.reload();
    }
  };
  const signIn: Reach = async (payment) => {
    await payment.signIn(amelie.phone, amelie.pin);
    await payment.confirm.waitFor();
  };
  return {
    "signed-out": async () => {},
    opened: async ({ page }) => {
      const toggle = page.getByTestId("pay-qr-open");
      if (await toggle.isVisible()) await toggle.click();
      await page.getByTestId("pay-cancel-open").click();
    },
    declined: async (payment) => {
      await payment.decline.click();
      await payment.expectNotice("declined");
    },
    "wrong-sign-in": async (payment) => {
      await payment.signIn(amelie.phone, wrong);
      await payment.expectNotice("wrong_sign_in");
    },
    wallet: signIn,
    "remembered-for-another-order": async (payment, order) => {
      await signIn(payment, order);
      await payment.open((await tillgate.placeOrder("3.50")).address);
      await payment.confirmPin.waitFor();
    },
    locked: async (payment) => {
      await enterWrongPins(payment);
      await payment.signIn(amelie.email, amelie.pin);
      await payment.expectNotice("locked");
      await books.clearWrongPins();
    },
    "wrong-pins-elsewhere": async (payment, order) => {
      await signIn(payment, order);
      const strangers = await browser.newContext();
      await enterWrongPins(await new PaymentPage(await strangers.newPage()).open(order.address));
      await strangers.close();
      await payment.page.reload();
      await payment.page.getByTestId("pay-wrong-pins-elsewhere").waitFor();
      await books.clearWrongPins();
    },
    "pin-needed": async (payment, order) => {
      await signIn(payment, order);
      await books.agePin(await payment.session());
      await payment.confirm.click();
      await payment.expectNotice("pin_needed");
    },
    wallets: async (payment) => {
      await payment.signIn(samuel.phone, samuel.pin);
      await payment.confirm.waitFor();
    },
    quote: async (payment) => {
      await payment.signIn(samuel.phone, samuel.pin);
      await payment.chooseWallet("XAF");
      await payment.quotePays.waitFor();
    },
    "too-little": async (payment) => {
      const { payment_url } = await tillgate.orders.create({ amount: "90000.00", currency: "EUR" });
      await payment.open(payment_url ?? "");
      await payment.signIn(amelie.phone, amelie.pin);
      await payment.page.getByTestId("pay-insufficient").waitFor();
    },
    "no-wallet": async (payment) => {
      await payment.signIn(dana.phone, dana.pin);
      await payment.page.getByTestId("pay-no-wallet").waitFor();
    },
    checking: async (payment, { address }) => {
      await payment.open(`${address}?check=1`);
    },
    code: async (payment, { address }) => {
      await payment.open(`${address}?view=code`);
    },
    paid: approve,
    "paid-from-wallet": async (payment) => {
      const { payment_url } = await tillgate.orders.create({
        amount: "18.50",
        currency: "EUR",
        reference: "77",
        return_url: `${sandbox.store}/thanks`,
      });
      await payment.open(payment_url ?? "");
      await payment.payFromWallet(amelie);
    },
    offline: async ({ page }) => {
      // Further stream messages would count as a connection.
      await page.route(/\/events$/, () => {});
      await page.reload();
      await page.context().setOffline(true);
      await page.getByTestId("pay-connection").waitFor();
    },
    "script-missing": async ({ page }) => {
      await page.route(/\/checkout\.js/, (route) => route.abort());
      await page.reload();
    },
    unavailable: async (payment, { address }) => {
      const own = await openFaultyPage(sandbox);
      await own.toApi.cut();
      await payment.open(own.addressOf(address));
      await own.close();
    },
    "refund-pending": async (payment) => {
      await payment.open((await openAdministrator(sandbox).createPendingRefund()).address);
      await payment.expectStatus("REFUND_PENDING");
    },
    "paid-at-a-rate": async (payment) => {
      await payment.signIn(samuel.phone, samuel.pin);
      await payment.chooseWallet("XAF");
      await payment.quotePays.waitFor();
      await payment.confirm.click();
      await payment.expectStatus("PAID");
    },
    "refunded-in-part": async (payment, order) => {
      await approve(payment, order);
      const { trx_id } = await tillgate.orders.get(order.id);
      await tillgate.refunds.create({ transaction_id: trx_id ?? "", amount: "5.00" });
      await payment.page.reload();
      await payment.page.getByTestId("pay-refunded").waitFor();
    },
    refunded: async (payment, order) => {
      await approve(payment, order);
      const { trx_id } = await tillgate.orders.get(order.id);
      await tillgate.refunds.create({ transaction_id: trx_id ?? "" });
      await payment.page.reload();
      await payment.expectStatus("REFUNDED");
    },
    cancelled: async (payment) => {
      await payment.cancel();
      await payment.expectStatus("CANCELLED");
    },
    expired: async (payment, { id }) => {
      await books.expireOrder(id);
      await payment.expectStatus("EXPIRED");
    },
    "not-found": async (payment) => {
      await payment.open(`${sandbox.pay}/pay/unknown`);
    },
    root: async (payment) => {
      await payment.open(sandbox.pay);
    },
  };
}
